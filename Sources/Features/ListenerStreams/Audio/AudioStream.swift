public import Crossing
internal import Media
internal import Streaming
internal import Web

/// Source of a client's packets: the ears of a listener, or the scene that the client renders for that listener itself.
protocol StreamSource: AnyObject {
    /// Number of the listener, from 1.
    var listener: Int { get }
    /// Frames per second.
    var rate: Int { get }
    /// Frames by which the sound of a packet is later than its sample count says.
    var latency: Int { get }
    /// The reason why there is no compressed sound; nil when there is.
    var compressionRefusal: String? { get }

    /// Strategies that a client's wishes allow.
    func ladder(_ wishes: StreamRequest, _ settings: StreamSettings) -> StrategyLadder

    /// The first members of the message that describes the format of the packets: their channels and frames.
    func shape(_ encoding: StreamEncoding) -> [String]

    /// The members of that message after those about the listener and the client.
    ///
    /// - Parameter isMeasured: whether the client has asked for a stream that is measured.
    func format(_ encoding: StreamEncoding, isMeasured: Bool) -> [String]

    /// Bits per second of all sound in an encoding.
    func bitrate(_ encoding: StreamEncoding) -> Int

    func join(_ client: AudioClient)
    func leave(_ client: AudioClient)

    /// Begins and ends encodings after a client has come, gone or changed.
    func update()
}

/// The sound of one listener for the clients of `/audio/N`.
///
/// Used on the control thread; an encoder thread reads the sound and encodes it, once for all clients with equal encodings. Without
/// clients nothing is encoded, and the audio thread delivers nothing.
public final class AudioStream: StreamSource {
    /// The listener's number, from 1.
    public let listener: Int
    package let rate: Int
    let source: EncodedSource
    private let hear: (_ clients: Int, _ renderers: Int) -> Void
    /// Number of clients that render the listener themselves, and need none of its sound.
    var renderers = 0 { didSet { if renderers != oldValue { tellAudience() } } }
    private(set) var clients: [AudioClient] = []
    private var encodings: Set<StreamEncoding> = []
    /// Settings of the listener as JSON, for clients that ask for a stream; nil when they are unknown.
    var describe: () -> String? = { nil }
    /// Measures ``latency``.
    var measure: () -> Int = { 0 }
    /// Inlets that take the sound for streams with many receivers: HLS, Icecast.
    private(set) var inlets: [SoundInlet] = [] {
        didSet {
            feed(inlets)
            tellAudience()
        }
    }
    /// Sets the inlets that the encoders fill.
    var feed: ([SoundInlet]) -> Void = { _ in }
    /// Sets the encodings that the encoders have to produce.
    var encode: (Set<StreamEncoding>) -> Void = { _ in }

    /// - Parameters:
    ///   - listener: from 1.
    ///   - rate: frames per second.
    ///   - source: two channels, written by the audio thread while the stream is wanted.
    ///   - position: the engine's sample count after the last frame that was written to `source`; called on an encoder thread. The audio
    ///     thread stores it after writing the frames, so that it is never ahead of them.
    ///   - hear: called with the number of clients, and of clients that render the listener themselves, whenever they change.
    public init(
        listener: Int, rate: Int, source: consuming FrameRing.Consumer, position: @escaping @Sendable () -> Int64,
        hear: @escaping (_ clients: Int, _ renderers: Int) -> Void
    ) {
        self.listener = listener
        self.rate = rate
        self.source = EncodedSource(listener: listener, rate: rate, source: source, position: position)
        self.hear = hear
    }

    func ladder(_ wishes: StreamRequest, _ settings: StreamSettings) -> StrategyLadder {
        StrategyLadder(wishes.bounds(settings, canCompress: compressionRefusal == nil))
    }

    func shape(_ encoding: StreamEncoding) -> [String] {
        ["\"channels\":2", "\"frames\":\(PacketAssembler.frames(encoding, rate: rate))"]
    }

    func format(_ encoding: StreamEncoding, isMeasured: Bool) -> [String] {
        // Frames by which a decoded packet is later than its sample count says.
        let delay = encoding.codec == .opus ? OpusPacketEncoder.standardDelay : 0
        return ["\"format\":\"\(encoding.codec.rawValue)\""]
            + (isMeasured ? ["\"bitrate\":\(encoding.bitrate)", "\"delay\":\(delay)"] : [])
    }

    func bitrate(_ encoding: StreamEncoding) -> Int { encoding.bitrate }

    var latency: Int { measure() }

    /// The reason why there is no compressed sound; nil when there is.
    var compressionRefusal: String? {
        rate == Opus.rate ? nil : "Opus needs \(Opus.rate) frames per second; the sound device runs at \(rate)"
    }

    /// A stream with many receivers counts as one client.
    private func tellAudience() { hear(clients.count + inlets.count, renderers) }

    package func isFilling(_ inlet: SoundInlet) -> Bool { inlets.contains { $0 === inlet } }

    /// Adds an inlet that receives the sound.
    package func fill(_ inlet: SoundInlet) { if !isFilling(inlet) { inlets.append(inlet) } }

    /// Removes an inlet.
    func leave(_ inlet: SoundInlet) { if isFilling(inlet) { inlets.removeAll { $0 === inlet } } }

    func join(_ client: AudioClient) {
        clients.append(client)
        update()
        tellAudience()
    }

    func leave(_ client: AudioClient) {
        guard let index = clients.firstIndex(where: { $0 === client }) else { return }
        clients.remove(at: index)
        update()
        tellAudience()
    }

    /// Begins and ends encodings after a client has come, gone or changed.
    func update() {
        tellSettings()
        let wanted = Set(clients.map(\.encoding))
        guard wanted != encodings else { return }
        encodings = wanted
        encode(wanted)
    }

    /// Sends the settings to clients that have asked for them and have not received them.
    func tellSettings() {
        guard clients.contains(where: \.wantsSettings), let text = describe() else { return }
        for client in clients where client.wantsSettings { client.tellSettings(text) }
    }

    /// Gives a packet to all clients with its encoding.
    func deliver(_ packet: EncodedPacket, now: Double) {
        let frame = WireFrame(binary: packet.bytes)
        for client in clients where client.encoding == packet.encoding { client.push(frame, now: now) }
    }
}
