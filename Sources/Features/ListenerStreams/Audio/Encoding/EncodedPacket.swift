internal import Streaming

/// A packet of the protocol, ready for the clients of one listener that have its encoding.
struct EncodedPacket: Sendable {
    /// Number of the listener, from 1.
    let listener: Int
    let encoding: StreamEncoding
    /// The engine's sample count after its last frame.
    let end: Int64
    let bytes: [UInt8]
}
