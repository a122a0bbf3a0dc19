/// Encoding of a stream of stereo sound. Clients of one listener with equal encodings share the work.
public struct StreamEncoding: Hashable, Sendable {
    /// Codec, by its name in the protocol.
    public enum Codec: String, Sendable, CaseIterable {
        case plain = "s16le"
        case opus
    }

    /// Bits per second that a compressed stream may have.
    public static let bitrates = 32_000...256_000
    /// Lengths of a packet, milliseconds.
    public static let lengths = [5, 10, 20]
    /// Bytes besides the sound in each packet: its header, and those of WebSocket, TCP, IP and Ethernet.
    static let overhead = 16 + 4 + 32 + 20 + 14

    public var codec: Codec
    /// Bits per second; 0 for plain sound.
    public var bitrate: Int
    /// Length of a packet, milliseconds.
    public var milliseconds: Int

    public init(codec: Codec, bitrate: Int, milliseconds: Int) {
        self.codec = codec
        self.bitrate = codec == .plain ? 0 : min(max(bitrate, Self.bitrates.lowerBound), Self.bitrates.upperBound)
        self.milliseconds = Self.lengths.contains(milliseconds) ? milliseconds : 10
    }

    /// Uncompressed packets of 10 ms, for clients that request no particular stream.
    public static let plain = StreamEncoding(codec: .plain, bitrate: 0, milliseconds: 10)

    /// Bits per second on the wire at 48,000 frames per second, with the headers of each packet.
    public func wireRate(packetsTogether: Int) -> Int {
        let sound = codec == .plain ? 48_000 * 32 : bitrate
        return sound + Self.overhead * 8 * 1000 / (milliseconds * max(1, packetsTogether))
    }
}
