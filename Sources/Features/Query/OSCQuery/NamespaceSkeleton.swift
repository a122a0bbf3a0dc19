internal import Parameters

/// The JSON of a container of the namespace without its parameters: the part that does not change while the namespace keeps its shape.
struct NamespaceSkeleton {
    /// A container that has been opened and not yet closed.
    private struct Open {
        let path: String
        /// The path and a slash.
        let prefix: String
        var isEmpty = true
    }

    private var text = JSONText()
    /// For each parameter, in the order of their paths, the bytes before it and its index.
    private var places: [(end: Int, node: Int)] = []
    private var open: [Open] = []

    /// - Parameter isContentsOnly: whether only the attribute CONTENTS is wanted.
    /// - Returns: nil when nothing is below the path.
    init?(_ tree: borrowing ParameterTree, _ order: NamespaceOrder, path: String, isContentsOnly: Bool) {
        let prefix = path == "/" ? "/" : path + "/"
        var position = order.place(of: prefix, tree)
        let mostListed = tree.mostListed
        while position < order.indices.count {
            let index = order.indices[position]
            let address = tree.nodes[index].address
            guard address.hasPrefix(prefix) else { break }
            if let own = ParameterTree.unlistedContainer(of: address, mostListed: mostListed), path != own, !path.hasPrefix(own + "/") {
                position = order.end(of: own + "/", from: position, tree)
                continue
            }
            if open.isEmpty { start(path, prefix, isContentsOnly) }
            add(index, address, tree)
            position += 1
        }
        guard !open.isEmpty else { return nil }
        while open.count > 1 { close(tree) }
        if isContentsOnly { text.append("}}") } else { close(tree) }
    }

    /// The text with the parameters in their places.
    /// - Parameter capacity: bytes that it will have, if known.
    func text(capacity: Int, _ node: (Int) -> [UInt8]) -> [UInt8] {
        var whole: [UInt8] = []
        whole.reserveCapacity(capacity + 1024)
        var from = 0
        for (end, index) in places {
            whole += text.bytes[from..<end]
            whole += node(index)
            from = end
        }
        whole += text.bytes[from...]
        return whole
    }

    private mutating func start(_ path: String, _ prefix: String, _ isContentsOnly: Bool) {
        if isContentsOnly {
            text.append("{\"CONTENTS\":{")
            open = [Open(path: path, prefix: prefix)]
        } else {
            begin(path, prefix)
        }
    }

    private mutating func add(_ index: Int, _ address: String, _ tree: borrowing ParameterTree) {
        while let last = open.last, !address.hasPrefix(last.prefix) { close(tree) }
        var rest = address.utf8.dropFirst(open.last?.prefix.utf8.count ?? 0)
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            addKey(String(Substring(rest[..<slash])))
            begin(String(address[..<slash]), String(address[...slash]))
            rest = rest[address.utf8.index(after: slash)...]
        }
        addKey(String(Substring(rest)))
        places.append((text.bytes.count, index))
    }

    private mutating func addKey(_ name: String) {
        if open[open.count - 1].isEmpty { open[open.count - 1].isEmpty = false } else { text.append(",") }
        text.append(quoting: name)
        text.append(":")
    }

    /// Opens a container.
    private mutating func begin(_ path: String, _ prefix: String) {
        open.append(Open(path: path, prefix: prefix))
        text.append("{")
        text.appendAttributesBeforeContents(OSCQueryNode(container: path, summary: ""))
        text.append(",\"CONTENTS\":{")
    }

    /// Closes the container that was opened last.
    private mutating func close(_ tree: borrowing ParameterTree) {
        let path = open.removeLast().path
        var node = OSCQueryNode(container: path, summary: tree.containers[path] ?? "")
        if let topic = tree.topics[path] { node.TAGS = [topic.tag] }
        text.append("}")
        text.appendAttributesAfterContents(node)
        text.append("}")
    }
}

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
    /// - Parameter from: a position that is not after the result.
    func place(of address: String, from: Int = 0, _ tree: borrowing ParameterTree) -> Int {
        Self.place(of: address, in: indices, from: from, tree)
    }

    /// The first position after everything in a container, or the end.
    ///
    /// - Parameters:
    ///   - container: its path and a slash.
    ///   - from: a position that is not after the result.
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
