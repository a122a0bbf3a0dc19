internal import Streaming
internal import Web

/// A client that plays the sound of one listener, or the scene around it.
///
/// By default it gets plain packets of 10 ms, of which up to 20 wait. A client that requests a stream gets it from a ``StreamSender``,
/// which measures the network and adapts the encoding.
final class AudioClient: SocketClient {
    /// 200 ms of plain sound.
    static let mostPackets = 20
    /// Messages to the client that may wait.
    private static let mostTexts = 64

    let kind = "audio"
    private let stream: any StreamSource
    private let token: String?
    private let wake: () -> Void
    private weak var connection: SocketConnection?
    private var texts: [WireFrame] = []
    /// Settings of the listener as sent last.
    private var told: String?
    private var packets: [WireFrame] = []
    private var leftOut = 0
    private var wishes: StreamRequest?
    private var settings: StreamSettings
    private var sender: StreamSender<WireFrame>?
    private var probe: LinkProbe?
    /// Bytes of a packet on the wire, smoothed.
    private var packetBytes = 300.0

    /// - Parameters:
    ///   - token: by which the client finds this listener again; nil for a listener that is not its own.
    ///   - wishes: about the stream; nil for a client without any.
    ///   - wake: requests a call of ``nextFrame()`` when the socket is writeable.
    init(
        _ stream: any StreamSource, token: String? = nil, wishes: StreamRequest? = nil, settings: StreamSettings = StreamSettings(),
        wake: @escaping () -> Void
    ) {
        self.stream = stream
        self.token = token
        self.settings = settings
        self.wake = wake
        let problem = wishes?.problem
        if let wishes { begin(problem == nil ? wishes : StreamRequest()) }
        greet(problem ?? (self.wishes == nil ? nil : refusal))
        stream.join(self)
    }

    func open(_ connection: SocketConnection) { self.connection = connection }

    func close() { stream.leave(self) }

    var dropped: Int { leftOut + (sender?.overflow ?? 0) }

    /// Encoding of the packets that this client gets.
    var encoding: StreamEncoding { sender?.strategy.encoding ?? .plain }

    /// Whether the client has asked for the settings of its listener. Participants of a listening test, from whom the method is hidden, do
    /// not.
    var wantsSettings: Bool { wishes?.settings == true }

    /// Measurements of both ends; nil for a client without wishes.
    var statistics: StreamStatistics? {
        sender.map {
            StreamStatistics(
                encoding: encoding, bitrate: stream.bitrate(encoding), roundTrip: $0.roundTrip, slope: $0.slope, overflow: dropped,
                changes: $0.changes,
                report: $0.latestReport)
        }
    }

    // MARK: Wishes

    private func begin(_ wishes: StreamRequest) {
        let merged = self.wishes?.merged(wishes) ?? wishes
        self.wishes = merged
        let isAdaptive = merged.adapt ?? settings.isAdaptive
        leftOut += sender?.overflow ?? 0
        sender = StreamSender(
            stream.ladder(merged, settings), isAdaptive: isAdaptive, changes: sender?.changes ?? 0,
            isCautious: sender == nil && merged.start == "low")
        if probe == nil { probe = LinkProbe() }
        packets = []
    }

    private var refusal: String? { wishes?.format == StreamEncoding.Codec.plain.rawValue ? nil : stream.compressionRefusal }

    /// Applies other settings of the server.
    func follow(_ settings: StreamSettings) {
        let before = self.settings
        self.settings = settings
        guard let wishes else { return }
        let isOther = stream.ladder(wishes, before) != stream.ladder(wishes, settings)
        if isOther || (wishes.adapt == nil && before.isAdaptive != settings.isAdaptive) {
            begin(StreamRequest())
            change()
        }
        if before.group(of: stream.listener) != settings.group(of: stream.listener) { probe?.isDue = true }
    }

    /// Sends the format of the packets from now on, and asks for them.
    private func change() {
        sender?.clear()
        greet(refusal)
        stream.update()
    }

    private func greet(_ reason: String?) {
        let encoding = encoding
        var words = ["\"rate\":\(stream.rate)"] + stream.shape(encoding) + ["\"listener\":\(stream.listener)"]
        if let token { words.append("\"token\":\"\(token)\"") }
        words += stream.format(encoding, isMeasured: wishes != nil)
        if let reason { words.append("\"reason\":\"\(reason)\"") }
        tell("{" + words.joined(separator: ",") + "}")
    }

    /// Sends a message, before the packets that wait.
    func tell(_ text: String) {
        if texts.count == Self.mostTexts { texts.removeFirst() }
        texts.append(WireFrame(text: text))
        wake()
    }

    /// Sends the settings of the listener, unless they are those that were sent last.
    func tellSettings(_ text: String) {
        guard text != told else { return }
        told = text
        tell(text)
    }

    // MARK: Out

    /// Takes a packet; leaves out the oldest when too many wait.
    ///
    /// - Parameter now: milliseconds, CLOCK_MONOTONIC.
    func push(_ packet: WireFrame, now: Double) {
        guard sender != nil else {
            if packets.count == Self.mostPackets {
                packets.removeFirst()
                leftOut += 1
            }
            packets.append(packet)
            return wake()
        }
        packetBytes += 0.2 * (Double(packet.count + 4) - packetBytes)
        if sender?.offer(packet, now: now) == true { change() }
        flush()
    }

    /// Sends packets at once, as far as the network takes them and nothing waits before them.
    private func flush() {
        guard texts.isEmpty, let connection, let together = sender?.strategy.packetsTogether else { return wake() }
        if together > 1 { connection.gather(true) }
        while connection.isReady, let packet = sender?.take(onTheirWay: onTheirWay) { connection.write(packet) }
        if together > 1 { connection.gather(false) }
    }

    /// Packets that the other end has not confirmed.
    private var onTheirWay: Int { connection.map { Int(clamping: (Double($0.unconfirmed) / packetBytes).rounded()) } ?? 0 }

    var hasMore: Bool { !texts.isEmpty || !packets.isEmpty }

    func nextFrame() -> WireFrame? {
        if !texts.isEmpty { return texts.removeFirst() }
        return packets.isEmpty ? nil : packets.removeFirst()
    }

    func notify(_ text: String) { if wishes != nil { complain(text) } }

    private func complain(_ text: String) {
        let plain = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        tell("{\"type\":\"error\",\"text\":\"\(plain)\"}")
    }

    // MARK: Measurements

    /// Sends requests for times, and results, when they are due.
    func tick(_ now: Double, _ clock: StreamClock) {
        // Packets that waited for confirmations are otherwise sent with the next packet; the last ones of a sound would wait forever.
        if sender?.isPending == true { flush() }
        guard let sender, var probe else { return }
        defer { self.probe = probe }
        if !sender.isCongested, let id = probe.question(now) { tell("{\"type\":\"time\",\"id\":\(id)}") }
        if let reading = probe.finish(now), self.sender?.note(reading, now: now) == true { change() }
        let group = settings.group(of: stream.listener)
        let late = Double(stream.latency) * 1000 / Double(stream.rate)
        if probe.isDue, let text = probe.text(self.sender ?? sender, clock: clock, group: group, late: late) {
            probe.isDue = false
            tell(text)
        }
    }

    /// Messages of a client without wishes are ignored, except for wishes.
    func receive(_ bytes: [UInt8], isText: Bool) {
        guard isText else { return }
        let message = StreamMessage(bytes)
        let now = AudioStreams.milliseconds
        switch message {
        case .wishes(let wishes):
            // New wishes may be possible by themselves, but not together with earlier ones.
            if let problem = (self.wishes?.merged(wishes))?.problem { return complain(problem) }
            begin(wishes)
            change()
        case .answer(let id, let received, let answered): probe?.answer(id, received: received, answered: answered, now: now)
        case .report(let report): if sender?.note(report, now: now) == true { change() }
        case .wrong(let text): if wishes != nil { complain(text) }
        }
    }
}
