public import Parameters

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
