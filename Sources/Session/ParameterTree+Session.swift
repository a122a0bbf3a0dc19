public import Parameters

extension ParameterTree {
    /// Largest number of trackers in a session.
    static let mostTrackers = 16

    /// A tree with every parameter that any session may set, to read session files without an engine: every group, and as
    /// many listeners, trackers, objects, mappings and cues as any engine has.
    ///
    /// - Parameter methods: names of the interpolation methods.
    public init(ofAnySession methods: [String]) {
        self.init(
            listeners: SessionFile.mostWired, network: SessionFile.mostListeners - SessionFile.mostWired, trackers: Self.mostTrackers,
            methods: methods, objects: ObjectParameter.most,
            mappings: MIDIMappingParameter.most, cueList: CueListEntryParameter.most)
    }

    /// Whether sessions write a parameter even when it has its initial value: the first listener's channels, which shows that the
    /// session says where listeners are played.
    func isAlwaysKept(_ node: Node) -> Bool { isOutput(node) && listener(ofParameter: node.index) == 0 }
}
