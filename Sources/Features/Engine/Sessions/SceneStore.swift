import CRealtime
import Hub
import Parameters
import Rack
import Session

/// Scenes of the session: stored, removed, and recalled with a crossfade.
///
/// A crossfade moves numbers, each along its parameter's scale; switches, choices, layouts and effects change at its start.
final class SceneStore {
    private let hub: Hub
    private let racks: Racks
    private let undo: UndoHistory
    private let crossfader: SceneCrossfader
    private let files: MessageFiles
    private(set) var scenes: [Scene] = []
    /// Whether scenes keep a parameter; they keep none of a listener without a name.
    var isKept: (ParameterTree.Node) -> Bool = { _ in true }

    /// Maximum number of characters of a scene's name.
    private static let longestName = 60

    init(hub: Hub, racks: Racks, undo: UndoHistory, crossfader: SceneCrossfader, files: MessageFiles) {
        self.hub = hub
        self.racks = racks
        self.undo = undo
        self.crossfader = crossfader
        self.files = files
    }

    private func index(_ parameter: SceneParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        hub.onSet(index(.store)) { [unowned self] value, _ in try store(value.text ?? "") }
        hub.onSet(index(.remove)) { [unowned self] value, _ in
            let scene = try find(value.text ?? "")
            edit(scenes.filter { $0.name != scene.name }, title: "Remove scene \(scene.name)", current: nil)
        }
        hub.onNeed(index(.recall)) { [unowned self] value, _ in
            let snapshot = try find(value.text ?? "").snapshot
            return try files.read(FileRequest.all(snapshot, recording: nil, beside: "", hub.tree))
        }
        hub.onSet(index(.recall)) { [unowned self] value, message in
            try recall(find(value.text ?? ""), seconds: duration(message.message))
        }
    }

    private func find(_ name: String) throws -> Scene {
        if let scene = scenes.first(where: { $0.name == name }) { return scene }
        let names = scenes.isEmpty ? "none is stored" : "the scenes are \(scenes.map(\.name).joined(separator: ", "))"
        throw RequestError("there is no scene \"\(name.prefix(Self.longestName))\"; \(names)")
    }

    // MARK: Storing

    private func store(_ name: String) throws {
        guard !name.isEmpty, name.count <= Self.longestName, !name.contains(where: \.isNewline) else {
            throw RequestError("a scene's name has 1 to \(Self.longestName) characters in one line")
        }
        var scene = Scene(
            name: name,
            snapshot: Snapshot(hub.tree, value: hub.value, racks: racks.descriptions) { [isKept] in
                $0.isInScenes && isKept($0)
            })
        var stored = scenes
        if let known = stored.firstIndex(where: { $0.name == name }) {
            scene.unknown = stored[known].unknown
            scene.snapshot.add(kept(stored[known].snapshot))
            stored[known] = scene
        } else {
            guard scenes.count < SessionFile.mostScenes else {
                throw RequestError("there are \(SessionFile.mostScenes) scenes already; remove one first")
            }
            stored.append(scene)
        }
        edit(stored, title: "Store scene \(name)", current: name)
    }

    /// The parts that a scene keeps when it is stored again: addresses unknown to this version, and settings of absent listeners.
    private func kept(_ former: Snapshot) -> Snapshot {
        var kept = Snapshot()
        kept.unknown = former.unknown
        kept.parameters = former.parameters.filter { $0.key.hasPrefix("/listener/") && hub.tree.index(at: $0.key) == nil }
        kept.racks = former.racks.filter { rack in !racks.editors.contains { $0.position.name == rack.key } }
        return kept
    }

    private func edit(_ edited: [Scene], title: String, current: String?) {
        var step = EditStep(title: title)
        step.scenes = .init(before: scenes, after: edited)
        undo.note(step)
        replace(edited, current: current)
    }

    /// Replaces all scenes and publishes their names.
    /// - Parameter current: name of the scene that is heard now, empty for none; nil leaves what was published before.
    func replace(_ scenes: [Scene], current: String? = nil) {
        self.scenes = scenes
        hub.publish(index(.names), .text(scenes.map(\.name).joined(separator: "\n")))
        if let current { hub.publish(index(.current), .text(current)) }
        let published = hub.value(index(.current)).text ?? ""
        if !scenes.contains(where: { $0.name == published }) { hub.publish(index(.current), .text("")) }
        hub.isTouched = true
    }

    // MARK: Recalling

    /// Seconds of a recall's crossfade: those that the message names, otherwise the setting.
    private func duration(_ message: Message) throws -> Float {
        guard message.arguments.count == 2, let seconds = message.arguments[1].number else {
            return hub.value(index(.crossfade)).numbers[0]
        }
        guard (0...ParameterSpec.longestDuration).contains(seconds) else {
            throw RequestError("\(message.address): a crossfade takes 0 to \(Int(clamping: ParameterSpec.longestDuration)) s")
        }
        return seconds
    }

    /// - Parameters:
    ///   - seconds: of the crossfade.
    ///   - isWanted: selects parameters among those that scenes keep.
    ///   - isRackWanted: selects racks.
    func recall(
        _ scene: Scene, seconds: Float, where isWanted: (ParameterTree.Node) -> Bool = { _ in true },
        racks isRackWanted: (RackPosition) -> Bool = { _ in true }
    ) throws {
        try racks.check(scene.snapshot.racks)
        crossfader.stop()
        var step = EditStep(title: "Recall scene \(scene.name)")
        var changes: [SceneCrossfade.Change] = []
        func move(_ address: String, to value: ParameterValue) {
            guard let index = hub.tree.index(at: address) else { return }
            let (spec, now) = (hub.tree.nodes[index].spec, hub.value(index))
            guard now != value else { return }
            guard seconds > 0, spec.isGradual, case .number(let from) = now, case .number(let to) = value else {
                hub.set(address, to: spec.arguments(value))
                return
            }
            changes.append(.init(address: address, spec: spec, from: from, to: to))
            step.settings.append(.init(address: address, spec: spec, before: now, after: value))
        }
        // The objects that exist determine the parameters that follow.
        if hub.tree.objects > 0, isWanted(hub.tree.nodes[hub.tree.index(ObjectSounds.list)]) {
            let list = hub.tree.nodes[hub.tree.index(ObjectSounds.list)]
            move(list.address, to: ObjectPresence.objects(in: scene.snapshot, hub.tree))
        }
        for node in hub.tree.nodes where node.isInScenes && isKept(node) && isWanted(node) {
            if hub.tree.objects > 0, node.index == hub.tree.index(ObjectSounds.list) { continue }
            move(node.address, to: scene.snapshot.value(node))
        }
        for editor in racks.editors where isRackWanted(editor.position) {
            let name = editor.position.name
            let (old, new) = (editor.description, scene.snapshot.racks[name] ?? RackDescription())
            let start = RackTransition.start(from: old, to: new)
            if start != old {
                try editor.restore(start)
                step.racks[name] = .init(before: old, after: new)
            }
            for (address, value) in RackTransition.settings(new, in: editor.position.container) { move(address, to: value) }
        }
        undo.note(step)
        hub.publish(index(.current), .text(scene.name))
        crossfader.start(changes, seconds: seconds)
    }

    func tick(now: UInt64) { crossfader.tick(now: now) }

    var isCrossfading: Bool { crossfader.isRunning }

    func stopCrossfade() { crossfader.stop() }

    func finishCrossfade() { crossfader.finish() }
}

/// Runs the crossfade to a scene and publishes its progress. One crossfade at a time.
final class SceneCrossfader {
    private let hub: Hub
    private var crossfade: SceneCrossfade?

    init(hub: Hub) { self.hub = hub }

    var isRunning: Bool { crossfade != nil }

    /// - Parameter seconds: duration; 0 sets all values at the next tick.
    func start(_ changes: [SceneCrossfade.Change], seconds: Float) {
        crossfade = SceneCrossfade(changes, start: rt_now(), duration: UInt64(clamping: Double(seconds) * 1e9))
    }

    /// Stops where it is.
    func stop() { crossfade = nil }

    /// Stops, and publishes the progress as complete.
    func finish() {
        stop()
        hub.publish(hub.tree.index(SceneParameter.progress), .number(1))
    }

    /// Takes a parameter out of the crossfade.
    /// - Returns: whether the crossfade was moving it.
    @discardableResult
    func release(_ address: String) -> Bool { crossfade?.release(address) ?? false }

    /// Takes all parameters below a container out of the crossfade.
    /// - Returns: whether the crossfade was moving any of them.
    func release(below container: String) -> Bool { crossfade?.release(below: container) ?? false }

    /// Finishes a crossfade that moves nothing any more.
    func finishIfEmpty() { if crossfade?.isEmpty == true { finish() } }

    /// Sets all values for a time, CLOCK_MONOTONIC nanoseconds.
    func tick(now: UInt64) {
        guard let crossfade else { return }
        for (address, value) in crossfade.values(now) {
            guard let index = hub.tree.index(at: address), hub.value(index) != .number(value) else { continue }
            hub.handle(Message(address: address, arguments: [.float(value)], receiveTime: now))
        }
        let progress = crossfade.isEmpty ? 1 : crossfade.progress(now)
        if progress >= 1 {
            finish()
        } else {
            hub.publish(hub.tree.index(SceneParameter.progress), .number((progress * 100).rounded(.down) / 100))
        }
    }
}
