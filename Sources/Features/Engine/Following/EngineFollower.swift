import CRealtime
import Effects
import FileOutput
package import Hub
package import Parameters
import Rack
package import Session

/// Mirrors another engine: its parameters, racks, scenes and transport. Used on the control thread only.
///
/// Parameters are taken over one by one. Racks and scenes are taken over as a whole, since effects that are added or moved change
/// addresses.
package final class EngineFollower {
    /// Longest time in nanoseconds that one tick spends on setting values.
    private static let turn: UInt64 = 4_000_000
    /// Maximum number of waiting values of effects that do not exist yet.
    private static let mostWaiting = 4096

    private let hub: Hub
    private let racks: Racks
    private let scenes: SceneStore
    private let files: MessageFiles
    private let followed: FollowedParameters
    private let transport: TransportFollower
    /// The followed engine as one client of the hub: its changes keep their order.
    private let client: Subscriber
    /// Values that are to be set, by address.
    private var waiting: [String: [Argument]] = [:]
    /// The racks and scenes to take over, and the reading of the files that they name.
    private var coming: (session: SessionFile, work: (any PendingWork)?)?
    /// The scene that the followed engine recalled last; nil before its first state.
    private var scene: String?
    /// A scene to recall, and the reading of the files that it names.
    private var recall: (scene: Scene, work: (any PendingWork)?)?
    private var shape = 0
    private var refused = RefusedTexts()
    private var isMusicComing = false
    private let media: FollowedFiles
    /// The latest racks and scenes, as the followed engine has them.
    private var latest: SessionFile?
    /// Whether the followed engine is present.
    package private(set) var isFollowing = false

    init(hub: Hub, racks: Racks, scenes: SceneStore, files: MessageFiles, fetcher: MediaFetcher?, transport: TransportFollower) {
        (self.hub, self.racks, self.scenes, self.files, self.transport) = (hub, racks, scenes, files, transport)
        followed = FollowedParameters(hub.tree)
        media = FollowedFiles(files, hub.tree, fetcher: fetcher)
        client = hub.subscribe {}
    }

    /// Racks and scenes of this engine, for engines that follow it.
    package var shared: SessionFile {
        let wanted = racks.editors.lazy.filter { [followed] in followed.contains($0.position) }
        var session = SessionFile(recording: nil, snapshot: Snapshot())
        for editor in wanted where editor.description != RackDescription() {
            session.snapshot.racks[editor.position.name] = editor.description
        }
        session.scenes = scenes.scenes
        return session
    }

    // MARK: From the followed engine

    /// Starts or ends mirroring when the followed engine appears or disappears; this engine keeps its state.
    package func follow(_ isThere: Bool) {
        guard isThere != isFollowing else { return }
        isFollowing = isThere
        coming?.work?.giveUp()
        recall?.work?.giveUp()
        (scene, coming, recall, waiting, latest) = (nil, nil, nil, [:], nil)
        transport.forget()
        refused.forget()
        media.forget()
        show(fetching: "")
    }

    /// Takes values of the followed engine's parameters, by address, and sets them at once unless racks or a scene come first.
    package func take(_ values: [String: [Argument]]) {
        for (address, arguments) in values {
            if address == SceneParameter.current.address() {
                note(scene: arguments)
            } else if let index = hub.tree.index(at: address) {
                if followed.contains(hub.tree.nodes[index]) { waiting[address] = arguments }
            } else if followed.isEffect(address), waiting.count < Self.mostWaiting || waiting[address] != nil {
                waiting[address] = arguments
            }
        }
        if isFollowing { setValues() }
    }

    /// Takes racks and scenes, which replace those that still wait.
    package func take(_ session: SessionFile) {
        coming?.work?.giveUp()
        latest = session
        let admitted = files.clients.admitted(media.own(session, now: rt_now())) { hub.notice("followed engine: \($0)") }
        do {
            let requests = admitted.snapshot.racks.filter { wants($0.key) }.values.flatMap { FileRequest.responses($0) }
            coming = (admitted, try files.read(requests))
        } catch {
            coming = nil
            hub.notice("the racks of the followed engine are not mirrored: \(error)")
        }
    }

    private func wants(_ name: String) -> Bool { racks.editors.contains { $0.position.name == name && followed.contains($0.position) } }

    /// Notes a scene that the followed engine has recalled; recalling it here ramps values in the same way.
    private func note(scene arguments: [Argument]) {
        guard case .string(let name) = arguments.first else { return }
        defer { scene = name }
        guard let scene, scene != name, let known = scenes.scenes.first(where: { $0.name == name }) else { return }
        recall?.work?.giveUp()
        do {
            recall = (known, try files.read(FileRequest.all(known.snapshot, recording: nil, beside: "", hub.tree)))
        } catch {
            recall = nil
            hub.notice("the scene \(name) of the followed engine is not recalled: \(error)")
        }
    }

    /// Takes a transport report of the followed engine, with its time by this machine's clock.
    package func take(_ report: TransportReport) { transport.take(report) }

    /// The position in the recording that is heard here.
    package var present: TransportReport { transport.present }

    /// The reasons why something is not mirrored, and the remedies; empty for none.
    package var problem: String {
        [transport.problem, musicProblem, refused.problem, media.problem].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The source of music that could not be opened when it was to play; nil for none.
    private var failedMusic: String? {
        let state = hub.value(hub.tree.index(MusicParameter.state)).numbers[0]
        guard isFollowing, MusicParameter.State(number: state) == .failed else { return nil }
        return hub.value(hub.tree.index(MusicParameter.source)).text
    }

    private var musicProblem: String {
        failedMusic == nil || isMusicComing ? "" : "music: \(hub.value(hub.tree.index(MusicParameter.problem)).text ?? "")"
    }

    // MARK: Turns

    /// Applies what has arrived; called about thirty times a second.
    package func tick(now: UInt64) {
        guard isFollowing else { return }
        fetch(now: now)
        takeSession()
        setValues()
        takeRecall()
        transport.tick(now: now)
        for (address, text) in refused.due(now: now, value: { [hub] in hub.tree.index(at: $0).map(hub.value) }) {
            hub.handle(Message(address: address, arguments: [.string(text)], receiveTime: now), from: client)
        }
    }

    /// Fetches missing files, and sets the texts that name them again once they have arrived.
    private func fetch(now: UInt64) {
        let (arrived, hasResponses) = media.tick(now: now)
        var wanted: Set<MediaName> = []
        for (address, text) in refused.refused {
            guard let (file, isComing) = media.fetch(text, at: address, now: now) else { continue }
            wanted.insert(file)
            refused.note(isFetched: isComing, at: address)
            if arrived.contains(file) { refused.hurry(address) }
        }
        fetchMusic(arrived, &wanted, now: now)
        media.keep(wanted)
        if hasResponses, let latest { take(latest) }
        show(fetching: media.progress)
    }

    /// Fetches the file of music that failed, and plays it once it has arrived.
    private func fetchMusic(_ arrived: Set<MediaName>, _ wanted: inout Set<MediaName>, now: UInt64) {
        let source = hub.tree.index(MusicParameter.source)
        let fetch = failedMusic.flatMap { media.fetch($0, at: hub.tree.nodes[source].address, now: now) }
        isMusicComing = fetch?.isComing == true
        guard let fetch else { return }
        wanted.insert(fetch.file)
        guard arrived.contains(fetch.file) else { return }
        hub.handle(Message(address: MusicParameter.run.address(), arguments: [.bool(true)], receiveTime: now), from: client)
    }

    private func show(fetching text: String) { hub.publish(hub.tree.index(FollowParameter.fetching), .text(text)) }

    /// Sets waiting values, unless racks or scenes have to be applied before them.
    private func setValues() {
        guard !scenes.isCrossfading, coming == nil, recall == nil || recall?.work?.isDone != false else { return }
        let end = rt_now() + Self.turn
        let isNewShape = hub.shape != shape
        shape = hub.shape
        for (address, arguments) in waiting {
            guard let index = hub.tree.index(at: address) else {
                // The effect may still be added; values of other parameters that do not exist are dropped.
                if !followed.isEffect(address) { waiting[address] = nil }
                continue
            }
            waiting[address] = nil
            set(index, arguments)
            if rt_now() > end { break }
        }
        if isNewShape, waiting.count > Self.mostWaiting / 2 { waiting = waiting.filter { hub.tree.index(at: $0.key) != nil } }
    }

    private func set(_ index: Int, _ arguments: [Argument]) {
        let node = hub.tree.nodes[index]
        var arguments = arguments
        if case .string(let text) = arguments.first { arguments[0] = .string(media.own(text, at: node.address)) }
        guard let value = try? node.spec.accept(arguments, at: node.address), followed.contains(node) else { return }
        refused.note(value, at: node.address, before: hub.value(index), now: rt_now())
        guard value != hub.value(index) else { return }
        let message = Message(address: node.address, arguments: arguments, receiveTime: rt_now())
        // A text may name a file, which is read first. Numbers are not steps of this engine's undo.
        if case .text = value { hub.handle(message, from: client) } else { hub.handle(message) }
    }

    private func takeRecall() {
        guard let (scene, work) = recall, work?.isDone != false else { return }
        recall = nil
        let seconds = hub.value(hub.tree.index(SceneParameter.crossfade)).numbers[0]
        let run = { [self] in
            do { try scenes.recall(scene, seconds: seconds, where: followed.contains, racks: followed.contains) } catch {
                hub.notice("the scene \(scene.name) of the followed engine is not recalled: \(error)")
            }
        }
        if let work { work.use(run) } else { run() }
    }

    /// A rack without the impulse responses that are missing on this machine.
    private static func withoutMissing(_ rack: RackDescription) -> RackDescription {
        rack.mapSlots { slot in
            guard let path = ResponseLibrary.path(slot), !FilePlace.isTaken(path) else { return slot }
            var slot = slot
            slot.texts["response"] = nil
            return slot
        }
    }

    private func takeSession() {
        guard let (session, work) = coming else { return }
        guard let work else { return finish(session) }
        guard work.isDone else { return }
        work.use { finish(session) }
    }

    private func finish(_ session: SessionFile) {
        coming = nil
        for editor in racks.editors where followed.contains(editor.position) {
            let rack = session.snapshot.racks[editor.position.name] ?? RackDescription()
            do { try editor.restore(rack, title: editor.description == rack ? nil : "") } catch {
                hub.notice("the rack \(editor.position.name) of the followed engine is mirrored without a response: \(error)")
                // The values that follow name the responses; see `RefusedTexts`.
                try? editor.restore(Self.withoutMissing(rack), title: "")
            }
        }
        if !session.leavesOutScenes, scenes.scenes != session.scenes { scenes.replace(session.scenes) }
    }
}

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
