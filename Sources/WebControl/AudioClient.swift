/// One client that hears a listener.
final class AudioClient: SocketClient {
    /// 200 ms of sound.
    static let mostPackets = 20

    let kind = "audio"
    private(set) var dropped = 0
    private let stream: AudioStream
    private let wake: () -> Void
    private var hello: WireFrame?
    private var packets: [WireFrame] = []

    /// - Parameter wake: asks the socket to be writeable.
    init(_ stream: AudioStream, wake: @escaping () -> Void) {
        self.stream = stream
        self.wake = wake
        hello = WireFrame(text: stream.hello)
        stream.join(self)
        wake()
    }

    func close() { stream.leave(self) }

    /// Queues a packet; the oldest that still waits is dropped when there are too many.
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

    /// Nothing is expected from a client that listens.
    func receive(_ bytes: [UInt8], isText: Bool) {}

    func tell(_ text: String) {}
}
