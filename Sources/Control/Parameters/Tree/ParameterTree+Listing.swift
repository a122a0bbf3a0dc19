/// Rules for the parameters that the list of a container includes.
///
/// Up to a thousand listeners may be on the network. Those with high numbers are left out, because they would make every list of the whole
/// namespace, and every subscription to it, a hundred times longer; they remain available at their own addresses, and in the table of
/// listeners.
extension ParameterTree {
    /// Highest number of a listener, counted from 1, that is in the lists of the containers above its own.
    public var mostListed: Int { max(wired, 32) }

    private static let parents = ["/listener/", "/rack/listener/", "/meter/listener/", "/latency/listener/"]

    /// The container of a listener that is left out of lists, for an address in it; nil for every other address.
    public static func unlistedContainer(of address: String, mostListed: Int) -> String? {
        guard let parent = parents.first(where: { address.hasPrefix($0) }) else { return nil }
        let number = address.utf8.dropFirst(parent.utf8.count).prefix { $0 != UInt8(ascii: "/") }
        guard let listener = Int(Substring(number)), listener > mostListed else { return nil }
        return parent + String(listener)
    }

    /// Whether an address is in the list of a container above it.
    ///
    /// - Parameter container: address without a slash at its end.
    public static func lists(_ address: String, in container: String, mostListed: Int) -> Bool {
        guard let own = unlistedContainer(of: address, mostListed: mostListed) else { return true }
        return container == own || container.hasPrefix(own + "/")
    }
}

/// Identification of nodes with a special meaning to the program, for which roles must not be used: these are for displays alone.
extension ParameterTree {
    /// Whether a node is a listener's channels of the sound device.
    public func isOutput(_ node: Node) -> Bool {
        !node.isTransient && listener(ofParameter: node.index).map { index(ListenerParameter.output, $0) == node.index } == true
    }

    /// Whether a node is the layout of a rack.
    public func isRackLayout(_ node: Node) -> Bool {
        guard !node.isTransient, node.address.hasSuffix("/" + RackParameter.layout.leaf) else { return false }
        return RackPosition.all(listeners: listeners).contains { index(RackParameter.layout, $0.instance) == node.index }
    }
}
