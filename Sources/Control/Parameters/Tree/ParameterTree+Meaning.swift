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
