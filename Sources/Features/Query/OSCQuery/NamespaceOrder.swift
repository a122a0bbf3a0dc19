internal import Parameters

/// The parameters of the namespace in the order of their paths: by components, each compared byte by byte. Everything below a container
/// is therefore in one piece.
struct NamespaceOrder {
    /// Indices of all parameters that have an address.
    private(set) var indices: [Int] = []

    /// Moves parameters to their places.
    ///
    /// - Parameter changed: for each index, whether the parameter came, went or got another address.
    mutating func update(_ tree: borrowing ParameterTree, changed: [Bool]) {
        let coming = changed.indices.filter { changed[$0] && !tree.nodes[$0].address.isEmpty }
            .map { (index: $0, address: tree.nodes[$0].address) }
            .sorted { Self.precedes($0.address, $1.address) }
        let staying = indices.filter { !changed[$0] }
        indices = []
        indices.reserveCapacity(staying.count + coming.count)
        var from = 0
        for (index, address) in coming {
            let to = Self.place(of: address, in: staying, from: from, tree)
            indices += staying[from..<to]
            indices.append(index)
            from = to
        }
        indices += staying[from...]
    }

    /// The first position whose address does not precede `address`, or the end.
    ///
    /// - Parameter from: a position that is not after it.
    func place(of address: String, from: Int = 0, _ tree: borrowing ParameterTree) -> Int {
        Self.place(of: address, in: indices, from: from, tree)
    }

    /// The first position after everything in a container, or the end.
    ///
    /// - Parameters:
    ///   - container: its path and a slash.
    ///   - from: a position that is not after it.
    func end(of container: String, from: Int, _ tree: borrowing ParameterTree) -> Int {
        var (low, high) = (from, indices.count)
        while low < high {
            let middle = (low + high) / 2
            let address = tree.nodes[indices[middle]].address
            if address.hasPrefix(container) || Self.precedes(address, container) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func place(of address: String, in sorted: [Int], from: Int, _ tree: borrowing ParameterTree) -> Int {
        var (low, high) = (from, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(tree.nodes[sorted[middle]].address, address) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether an address precedes another. A slash precedes every other byte.
    private static func precedes(_ first: String, _ second: String) -> Bool {
        first.utf8.lexicographicallyPrecedes(second.utf8) { rank($0) < rank($1) }
    }

    private static func rank(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "/") ? 0 : byte }
}
