/// A client that plays the sound of one listener.
final class AudioClient: SocketClient {
    /// 200 ms of sound.
    static let mostPackets = 20

    let kind = "audio"
    private(set) var dropped = 0
    private let stream: AudioStream
    private let wake: () -> Void
    private var hello: WireFrame?
    private var packets: [WireFrame] = []

    /// - Parameters:
    ///   - token: by which the client finds this listener again; nil for a listener that is not its own.
    ///   - wake: requests a call of ``nextFrame()`` when the socket is writeable.
    init(_ stream: AudioStream, token: String? = nil, wake: @escaping () -> Void) {
        self.stream = stream
        self.wake = wake
        hello = WireFrame(text: stream.hello(token: token))
        stream.join(self)
        wake()
    }

    func close() { stream.leave(self) }

    /// Queues a packet; drops the oldest when too many wait.
    func push(_ packet: WireFrame) {
        if packets.count == Self.mostPackets {
            packets.removeFirst()
            dropped += 1
        }
        packets.append(packet)
        wake()
    }

    var hasMore: Bool { hello != nil || !packets.isEmpty }

    func nextFrame() -> WireFrame? {
        if let hello = hello.take() { return hello }
        return packets.isEmpty ? nil : packets.removeFirst()
    }

    /// Messages of the client are ignored.
    func receive(_ bytes: [UInt8], isText: Bool) {}

    func notify(_ text: String) {}
}
