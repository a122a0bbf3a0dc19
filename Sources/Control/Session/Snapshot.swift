public import Parameters
public import Rack

/// The state that sessions and scenes keep, at one moment. Plain values.
public struct Snapshot: Sendable, Equatable {
    /// Values that differ from their initial ones, by address.
    public var parameters: [String: [Argument]] = [:]
    /// Racks that are not empty, by name.
    public var racks: [String: RackDescription] = [:]
    /// Addresses that this version does not know; they are kept, and written again.
    public var unknown: [String: JSON] = [:]

    public init(parameters: [String: [Argument]] = [:], racks: [String: RackDescription] = [:]) {
        self.parameters = parameters
        self.racks = racks
    }

    /// The current state.
    /// - Parameters:
    ///   - value: value of a parameter, by index.
    ///   - isWanted: selects parameters among those that sessions keep.
    public init(
        _ tree: ParameterTree, value: (Int) -> ParameterValue, racks: [String: RackDescription] = [:],
        where isWanted: (ParameterTree.Node) -> Bool = \.isInSessions
    ) {
        self.racks = racks
        for index in tree.kept where !tree.nodes[index].address.isEmpty && isWanted(tree.nodes[index]) {
            let (node, value) = (tree.nodes[index], value(index))
            if value != node.spec.initial || tree.isAlwaysKept(node) { parameters[node.address] = node.spec.arguments(value) }
        }
    }

    /// The value of a parameter of the tree.
    public func value(_ node: ParameterTree.Node) -> ParameterValue {
        guard let arguments = parameters[node.address] else { return node.spec.initial }
        return (try? node.spec.accept(arguments, at: node.address)) ?? node.spec.initial
    }
}

extension ParameterTree.Node {
    /// True for parameters of a session file; those of racks are kept with the racks.
    public var isInSessions: Bool { !isTransient && !address.isEmpty && (spec.keeping == .session || spec.keeping == .scene) }

    /// True for parameters that scenes recall as well: neither heads and trackers nor the scenes themselves.
    public var isInScenes: Bool { !isTransient && !address.isEmpty && spec.keeping == .scene }
}
