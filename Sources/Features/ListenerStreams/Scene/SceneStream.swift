internal import CRealtime
internal import Media
internal import Streaming
public import Threads
public import Web

/// The scene for clients of `/audio/scene/N`, which render the ears of listener N themselves: microphones, objects and live input, encoded
/// once for all of them, and the settings of each listener.
///
/// Used on the control thread. Without clients nothing is encoded, and the audio thread sends nothing.
public final class SceneStream {
    /// Milliseconds between two checks for messages to clients that are due.
    private static let interval = 20

    let rate: Int
    private let encoder: SceneEncoder
    private let turn: (Bool) -> Void
    private var scenes: [Int: ListenerScene] = [:]
    private var clock = StreamClock()
    /// The latest description of the array.
    private(set) var array: String?
    /// Number of channels of the latest packet: microphones, sides of the live input and objects.
    private(set) var channels = 0
    /// Settings of a listener as JSON.
    var settings: (_ listener: Int) -> String? = { _ in nil }
    /// Called with the number of clients that render a listener whenever it changes.
    var onClients: (_ listener: Int, _ clients: Int) -> Void = { _, _ in }

    /// - Parameters:
    ///   - loop: on which it is used.
    ///   - rate: frames per second.
    ///   - read: passes on the blocks of the scene that have arrived; called on its own thread.
    ///   - describe: members of the JSON of an array by its version; called on that thread.
    ///   - turn: called with whether blocks are needed.
    /// - Throws: ``ThreadError`` when the system does not allow its thread.
    public init(
        on loop: EventLoop, rate: Int, read: @escaping @Sendable ((SceneFrames) -> Void) -> Void,
        describe: @escaping @Sendable (Int64) -> String?, turn: @escaping (Bool) -> Void
    ) throws(ThreadError) {
        self.rate = rate
        self.turn = turn
        encoder = try SceneEncoder(read: read, describe: describe) { [handle = loop.handle] in handle.wake() }
        loop.every(Self.interval) { [unowned self] in
            let now = AudioStreams.milliseconds
            for scene in scenes.values { scene.tick(now, clock) }
        }
    }

    deinit { encoder.stop() }

    /// The reason why no client can render the scene; nil when clients can.
    var refusal: String? {
        rate == Opus.rate
            ? nil : "the scene is sent as Opus, which needs \(Opus.rate) frames per second; the sound device runs at \(rate)"
    }

    /// The scene as the clients of a listener get it.
    func scene(of listener: Int) -> ListenerScene {
        if let scene = scenes[listener] { return scene }
        let scene = ListenerScene(listener: listener, scene: self)
        scenes[listener] = scene
        return scene
    }

    /// The state of a listener's clients; nil without any.
    public func statistics(listener: Int) -> StreamStatistics? { scenes[listener]?.clients.lazy.compactMap(\.statistics).last }

    /// Number of clients that render a listener.
    public func clients(listener: Int) -> Int { scenes[listener]?.clients.count ?? 0 }

    /// Sends the settings of a listener to its clients after a change, with the engine's sample count at that time, from which on they hold
    /// for the engine's own listeners.
    /// - Parameter changedAt: milliseconds, CLOCK_MONOTONIC.
    func refresh(listener: Int, changedAt: Double) {
        scenes[listener]?.tellSettings(at: clock.origin.map { max(0, Int64(clamping: (changedAt - $0) * Double(rate) / 1000)) })
    }

    /// Applies other settings of the server.
    func follow(_ settings: StreamSettings) { for scene in scenes.values { for client in scene.clients { client.follow(settings) } } }

    /// Begins and ends profiles after a client has come, gone or changed.
    func update() {
        let profiles = Set(scenes.values.lazy.flatMap(\.clients).map { SceneProfile($0.encoding) })
        turn(!profiles.isEmpty)
        encoder.encode(profiles)
    }

    func forget(_ scene: ListenerScene) { if scene.clients.isEmpty { scenes[scene.listener] = nil } }

    /// Sends the packets that the encoder has finished; called after a wake of the loop.
    func settle() {
        let packets = encoder.take()
        guard !packets.isEmpty else { return }
        let now = AudioStreams.milliseconds
        for packet in packets {
            switch packet {
            case .array(let text):
                array = text
                for scene in scenes.values { for client in scene.clients { client.tell(text) } }
            case .sound(let profile, let end, let channels, let bytes):
                self.channels = channels
                clock.note(end: end, rate: rate, now: now)
                let (frame, encoding) = (WireFrame(binary: bytes), profile.encoding)
                for scene in scenes.values {
                    for client in scene.clients where client.encoding == encoding { client.push(frame, now: now) }
                }
            }
        }
    }
}

/// The scene for the clients of one listener, which render that listener themselves.
final class ListenerScene: StreamSource {
    let listener: Int
    private unowned let scene: SceneStream
    private(set) var clients: [AudioClient] = []
    private var told: String?

    init(listener: Int, scene: SceneStream) {
        self.listener = listener
        self.scene = scene
    }

    var rate: Int { scene.rate }
    /// The client accounts for the latency of its own renderer.
    var latency: Int { 0 }
    var compressionRefusal: String? { nil }

    func ladder(_ wishes: StreamRequest, _ settings: StreamSettings) -> StrategyLadder {
        (wishes.profile.flatMap(SceneProfile.init(rawValue:)) ?? .full).ladder
    }

    func shape(_ encoding: StreamEncoding) -> [String] {
        ["\"frames\":\(Opus.rate * SceneProfile.milliseconds / 1000)"]
    }

    func format(_ encoding: StreamEncoding, isMeasured: Bool) -> [String] {
        [
            "\"format\":\"scene\"", "\"profile\":\"\(SceneProfile(encoding).rawValue)\"", "\"bitrate\":\(encoding.bitrate)",
            "\"delay\":\(OpusPacketEncoder.standardDelay)", "\"scale\":\(SceneTrack.scale)",
        ]
    }

    func bitrate(_ encoding: StreamEncoding) -> Int { encoding.bitrate * scene.channels }

    func join(_ client: AudioClient) {
        clients.append(client)
        if let array = scene.array { client.tell(array) }
        told = scene.settings(listener)
        if let told { client.tell(told) }
        scene.update()
        scene.onClients(listener, clients.count)
    }

    func leave(_ client: AudioClient) {
        clients.removeAll { $0 === client }
        scene.onClients(listener, clients.count)
        scene.update()
        scene.forget(self)
    }

    func update() { scene.update() }

    func tick(_ now: Double, _ clock: StreamClock) { for client in clients { client.tick(now, clock) } }

    /// Sends the settings when they have changed.
    /// - Parameter sample: the engine's sample count from which on they hold; nil for at once.
    func tellSettings(at sample: Int64?) {
        guard let text = scene.settings(listener), text != told else { return }
        told = text
        let dated = sample.map { "\(text.dropLast()),\"sample\":\($0)}" } ?? text
        for client in clients { client.tell(dated) }
    }
}
