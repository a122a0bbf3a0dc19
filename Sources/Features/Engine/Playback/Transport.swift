import Hub
import Media
import Parameters
import RenderInterface

/// The transport: play, pause, stop and seek, and the loaded recording.
package final class Transport {
    private let hub: Hub
    private let telemetry: Telemetry
    private let playback: Playback
    private let array: ArrayEditor
    private let files: MessageFiles
    /// Called when a client or a session has loaded another recording, perhaps with another number of microphones.
    package var onRecordingChange: () -> Void = {}
    /// Called with the path of every recording that was loaded.
    var onLoad: (_ path: String) -> Void = { _ in }
    /// Called with the video of every recording that was loaded.
    var onVideo: (_ video: (video: RecordingVideo, facts: VideoFacts?)?) -> Void = { _ in }
    /// Whether the recording repeats, if the playlist decides about it; nil if ``TransportParameter/loop`` does.
    var repeats: () -> Bool? = { nil }
    /// Crossfades to a recording over a number of seconds; returns false when it has to be loaded instead.
    var crossfade: (_ path: String, _ seconds: Float) throws -> Bool = { _, _ in false }
    /// Whether another recording follows the end of the current one.
    var isFollowed: () -> Bool = { false }

    init(hub: Hub, telemetry: Telemetry, playback: Playback, array: ArrayEditor, files: MessageFiles) {
        self.hub = hub
        self.telemetry = telemetry
        self.playback = playback
        self.array = array
        self.files = files
    }

    private func index(_ parameter: TransportParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        hub.onSet(index(.play)) { [unowned self] _, _ in
            if telemetry.state.feedEnded { playback.player?.seek(seconds: 0) }
            state = TransportParameter.playing
        }
        hub.onSet(index(.pause)) { [unowned self] _, _ in state = TransportParameter.paused }
        hub.onSet(index(.stop)) { [unowned self] _, _ in stop() }
        hub.onSet(index(.seek)) { [unowned self] value, _ in
            guard !playback.isLive else {
                throw RequestError(
                    "\(TransportParameter.seek.address()): a live array has no position; play and pause unmute and mute it.")
            }
            playback.player?.seek(seconds: Double(value.numbers[0]))
        }
        hub.onSet(index(.loop)) { [unowned self] value, _ in
            playback.player?.loop = repeats() ?? (value == .number(1))
        }
        hub.onNeed(hub.tree.index(SessionParameter.recording)) { [unowned self] value, _ in
            try files.read([.recording(files.clients.path(value.text ?? "", .recordings))])
        }
        hub.onSet(hub.tree.index(SessionParameter.recording)) { [unowned self] value, message in
            let path = try files.clients.path(value.text ?? "", .recordings)
            if try !crossfade(path, Self.seconds(message.message)) { try change(path) }
            message.store(instead: .text(path))
        }
    }

    /// The duration of the crossfade that a message asks for, seconds; 0 without one.
    private static func seconds(_ message: Message) throws -> Float {
        guard message.arguments.count == 2, let seconds = message.arguments[1].number else { return 0 }
        let longest = SessionParameter.longestCrossfade
        guard (0...Float(longest)).contains(seconds) else {
            throw RequestError("\(message.address): a crossfade takes 0 to \(longest) s")
        }
        return seconds
    }

    /// One of `TransportParameter`'s states.
    package var state: Int {
        get { Int(clamping: hub.value(index(.state)).numbers[0]) }
        set { hub.publish(index(.state), .number(Float(newValue))) }
    }

    private func stop() {
        state = TransportParameter.stopped
        playback.player?.seek(seconds: 0)
    }

    /// Loads a recording and publishes its array.
    package func load(_ path: String) throws {
        if let opened = try files.opened(path) { playback.play(opened, loop: loops) } else { try playback.load(path, loop: loops) }
        publishRecording()
    }

    /// Whether the recording repeats.
    var loops: Bool { repeats() ?? (hub.value(index(.loop)) == .number(1)) }

    /// Applies ``loops`` to the recording.
    func followLoop() { if let player = playback.player, player.loop != loops { player.loop = loops } }

    /// Publishes a recording that has followed the previous one automatically.
    func adopt() {
        publishRecording()
        onRecordingChange()
    }

    private func publishRecording() {
        guard let player = playback.player else { return }
        let path = player.path
        hub.publish(hub.tree.index(SessionParameter.recording), .text(path))
        hub.publish(index(.duration), .number(Float(player.duration)))
        array.publish()
        onLoad(path)
        onVideo(player.video)
        followLoop()
        for warning in player.warnings + playback.warnings { hub.notice(warning) }
    }

    /// Loads another recording while clients are connected.
    func change(_ path: String) throws {
        try load(path)
        onRecordingChange()
    }

    /// Publishes the position, and stops at the recording's end.
    func publish() {
        let report = telemetry.state
        if let position = playback.position(report) {
            hub.publish(index(.position), .number(Float((position * 1000).rounded() / 1000)))
        }
        if report.feedEnded, state == TransportParameter.playing, !(playback.player?.loop ?? true), !isFollowed() { stop() }
    }
}
