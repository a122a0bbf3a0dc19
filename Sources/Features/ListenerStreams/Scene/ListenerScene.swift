internal import Media
internal import Streaming

/// The scene as the clients of one listener get it, which render that listener themselves.
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
