public import Parameters
public import Rack

/// How everything is set at one moment, as far as sessions and scenes keep it. Plain values.
public struct Snapshot: Sendable, Equatable {
    /// What is not as it is in the beginning, by address.
    public var parameters: [String: [Argument]] = [:]
    /// Racks that are not empty, by name.
    public var racks: [String: RackDescription] = [:]
    /// Addresses this program does not know; they are kept, and written again.
    public var unknown: [String: JSON] = [:]

    public init(parameters: [String: [Argument]] = [:], racks: [String: RackDescription] = [:]) {
        self.parameters = parameters
        self.racks = racks
    }

    /// What is set now.
    /// - Parameters:
    ///   - value: of each slot.
    ///   - isWanted: which of the parameters that sessions keep.
    public init(
        _ tree: ParameterTree, value: (Int) -> ParameterValue, racks: [String: RackDescription] = [:],
        where isWanted: (ParameterTree.Node) -> Bool = \.isInSessions
    ) {
        self.racks = racks
        for node in tree.nodes where isWanted(node) {
            let value = value(node.slot)
            if value != node.spec.initial { parameters[node.address] = node.spec.arguments(value) }
        }
    }

    /// What a parameter of the tree is set to.
    public func value(_ node: ParameterTree.Node) -> ParameterValue {
        guard let arguments = parameters[node.address] else { return node.spec.initial }
        return (try? node.spec.accept(arguments, at: node.address)) ?? node.spec.initial
    }
}

extension ParameterTree.Node {
    /// The recording has a field of its own, and what stands in racks is kept with them.
    public var isInSessions: Bool { spec.isKept && !isTransient && spec.role != .recording }

    /// Scenes leave alone what belongs to heads, and themselves.
    public var isInScenes: Bool {
        isInSessions && spec.role != .front && !address.hasPrefix(Self.trackers)
            && !address.hasPrefix(SceneParameter.container + "/")
    }

    private static let trackers = String(TrackerParameter.container.prefix { $0 != "{" })
}
