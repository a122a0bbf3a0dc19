internal import Parameters

extension OSCQueryNode {
    /// The node at a path, without what is further down than its own contents; nil when there is none.
    static func shallow(_ tree: ParameterTree, path: String, value: (Int) -> ParameterValue) -> OSCQueryNode? {
        if let index = tree.index(at: path) { return OSCQueryNode(tree.nodes[index], value: value(index)) }
        let prefix = path == "/" ? "/" : path + "/"
        var contents: [String: OSCQueryNode] = [:]
        for node in tree.nodes
        where node.address.hasPrefix(prefix) && ParameterTree.lists(node.address, in: path, mostListed: tree.mostListed) {
            let name = String(Substring(node.address.utf8.dropFirst(prefix.utf8.count).prefix { $0 != UInt8(ascii: "/") }))
            guard contents[name] == nil else { continue }
            let child = prefix + name
            contents[name] = node.address == child ? OSCQueryNode(node, value: value(node.index)) : container(tree, child)
        }
        guard !contents.isEmpty else { return nil }
        var node = container(tree, path)
        node.CONTENTS = contents
        return node
    }

    private static func container(_ tree: ParameterTree, _ path: String) -> OSCQueryNode {
        var container = OSCQueryNode(container: path, summary: tree.containers[path] ?? "")
        if let topic = tree.topics[path] { container.TAGS = [topic.tag] }
        return container
    }
}
