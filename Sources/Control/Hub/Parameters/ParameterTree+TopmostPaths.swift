internal import Parameters

extension ParameterTree {
    /// The topmost path of each address that does not exist yet, or no longer exists; each path once.
    ///
    /// - Parameter addresses: none of them in the tree.
    func topmostMissingPaths(of addresses: [String]) -> [String] {
        var found: [String] = []
        var held: [Substring: Bool] = [:]
        for address in addresses where !found.contains(where: { address == $0 || address.hasPrefix($0 + "/") }) {
            var path = Substring(address)
            while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
                let parent = path[..<slash]
                let isHeld = held[parent] ?? holds(String(parent))
                held[parent] = isHeld
                if isHeld { break }
                path = parent
            }
            found.append(String(path))
        }
        return found
    }
}
