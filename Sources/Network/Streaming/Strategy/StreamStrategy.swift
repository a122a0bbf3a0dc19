/// One way to send a stream: its encoding, and the number of packets that are sent together to save headers.
public struct StreamStrategy: Hashable, Sendable {
    public var encoding: StreamEncoding
    public var packetsTogether: Int

    public init(_ encoding: StreamEncoding, packetsTogether: Int = 1) {
        self.encoding = encoding
        self.packetsTogether = packetsTogether
    }

    /// Bits per second on the wire.
    public var wireRate: Int { encoding.wireRate(packetsTogether: packetsTogether) }
}
