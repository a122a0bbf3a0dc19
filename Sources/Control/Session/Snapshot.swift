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

/// A snapshot with a name.
public struct Scene: Sendable, Equatable {
    public var name: String
    public var snapshot: Snapshot
    /// Fields of the file that this version does not know; they are kept, and written again.
    public var unknown: [String: JSON] = [:]

    public init(name: String, snapshot: Snapshot) {
        self.name = name
        self.snapshot = snapshot
    }
}

extension ParameterTree {
    /// Maximum number of trackers in a session.
    static let mostTrackers = 16

    /// A tree with every parameter that any session may set, to read session files without an engine: every group, and as
    /// many listeners, trackers, objects, mappings and cues as any engine has.
    ///
    /// - Parameters:
    ///   - methods: names of the interpolation methods.
    ///   - formerMethods: their names in earlier releases, each with the current one.
    ///   - method: the method that a listener begins with, which sessions do not write; nil for the last one.
    public init(ofAnySession methods: [String], formerMethods: [String: String] = [:], method: String? = nil) {
        self.init(
            listeners: ListenerLimits.wired, network: ListenerLimits.network, trackers: Self.mostTrackers,
            methods: methods, formerMethods: formerMethods, method: method, objects: ObjectParameter.most,
            mappings: MIDIMappingParameter.most, cueList: CueListEntryParameter.most)
    }

    /// Whether sessions write a parameter even when it has its initial value: the first listener's channels, which shows that the session
    /// determines where listeners are played.
    func isAlwaysKept(_ node: Node) -> Bool { isOutput(node) && listener(ofParameter: node.index) == 0 }
}
