import Parameters

/// The parameters that an engine takes over from the one that it follows: what scenes keep, the playlist, the music and the video, and the
/// effects. Parameters of the machine or of its user are not taken over: live input, tuner, looper, heads, network listeners.
struct FollowedParameters {
    private let declared: Set<Int>
    /// Containers of the racks, each with a slash at its end.
    private let racks: [String]

    init(_ tree: ParameterTree) {
        let own: [ListenerParameter] = [.hrtf, .headRadius, .hrtfEqualisation, .prediction, .autoPrediction]
        var left = Set((0..<tree.wired).flatMap { listener in own.map { tree.index($0, listener) } })
        for listener in tree.wired..<max(tree.wired, tree.listeners) {
            left.formUnion(ListenerParameter.allCases.map { tree.index($0, listener) })
        }
        left.formUnion(InputParameter.allCases.map { tree.index($0) })
        left.formUnion(TunerParameter.allCases.map { tree.index($0) })
        left.formUnion(LooperParameter.allCases.map { tree.index($0) })
        let positions = [RackPosition.recording] + (0..<tree.wired).map { RackPosition.output($0) }
        let further =
            [DeckParameter.list, .repeat, .crossfade].map { tree.index($0) }
            + [MusicParameter.source, .run, .loop, .gain].map { tree.index($0) }
            + [VideoParameter.file, .offset, .layout, .yaw, .pitch, .roll].map { tree.index($0) }
            + positions.map { tree.index(RackParameter.bypass, $0.instance) } + [tree.index(SceneParameter.crossfade)]
        let kept = tree.kept.filter { tree.nodes[$0].spec.keeping == .scene && !left.contains($0) }
        declared = Set(kept).union(further)
        racks = positions.map { $0.container + "/" }
    }

    /// Whether an existing parameter is taken over.
    func contains(_ node: ParameterTree.Node) -> Bool {
        guard node.spec.access == .readWrite else { return false }
        return declared.contains(node.index) || node.isTransient && isEffect(node.address)
    }

    /// Whether an address is in a rack that is taken over, where parameters are added and removed.
    func isEffect(_ address: String) -> Bool { racks.contains { address.hasPrefix($0) } }

    /// Whether the content of a rack is taken over.
    func contains(_ rack: RackPosition) -> Bool { racks.contains(rack.container + "/") }
}
