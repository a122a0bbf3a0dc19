internal import Media
internal import Streaming

/// Collects the frames of one encoding into packets with their header.
struct PacketAssembler {
    /// Length in bytes of the header: number, frames, sample count.
    static let headBytes = 16

    private let encoding: StreamEncoding
    private let frames: Int
    private var encoder: any PacketEncoder
    private var samples: [Float] = []
    private var number: UInt32 = 0
    private var start: Int64 = 0

    /// - Returns: nil for an encoding that this rate does not allow.
    init?(_ encoding: StreamEncoding, rate: Int) {
        guard let encoder = Self.encoder(encoding, rate: rate) else { return nil }
        self.encoding = encoding
        self.encoder = encoder
        frames = Self.frames(encoding, rate: rate)
        samples.reserveCapacity(2 * frames)
    }

    static func frames(_ encoding: StreamEncoding, rate: Int) -> Int { max(1, rate * encoding.milliseconds / 1000) }

    private static func encoder(_ encoding: StreamEncoding, rate: Int) -> (any PacketEncoder)? {
        switch encoding.codec {
        case .plain: PCM16Encoder()
        case .opus: rate == Opus.rate ? OpusPacketEncoder(bitrate: encoding.bitrate) : nil
        }
    }

    /// Adds frames, and passes on each packet that they complete.
    ///
    /// - Parameters:
    ///   - added: interleaved.
    ///   - position: the engine's sample count at the first of them.
    mutating func add(_ added: UnsafeBufferPointer<Float>, at position: Int64, listener: Int, _ pass: (EncodedPacket) -> Void) {
        var used = 0
        while used < added.count {
            if samples.isEmpty { start = position + Int64(used / 2) }
            let count = min(added.count - used, 2 * frames - samples.count)
            samples.append(contentsOf: added[used..<(used + count)])
            used += count
            guard samples.count == 2 * frames else { return }
            pass(EncodedPacket(listener: listener, encoding: encoding, end: start + Int64(frames), bytes: packet()))
            samples.removeAll(keepingCapacity: true)
            number &+= 1
        }
    }

    /// Leaves out an incomplete packet where frames are missing; the next number shows the gap.
    mutating func skip() {
        samples.removeAll(keepingCapacity: true)
        number &+= 1
    }

    private mutating func packet() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headBytes + 4 * frames)
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt32(frames).littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt64(bitPattern: start).littleEndian) { bytes.append(contentsOf: $0) }
        samples.withUnsafeBufferPointer { encoder.encode($0, into: &bytes) }
        return bytes
    }
}

/// A packet of the protocol, ready for the clients of one listener that have its encoding.
struct EncodedPacket: Sendable {
    /// Number of the listener, from 1.
    let listener: Int
    let encoding: StreamEncoding
    /// The engine's sample count after its last frame.
    let end: Int64
    let bytes: [UInt8]
}
