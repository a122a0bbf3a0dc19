internal import COpus
internal import DSP
internal import Media

/// Encodes packets of sound for the network. One encoder serves all clients of one listener that have the same encoding.
public protocol PacketEncoder {
    /// Appends `samples` to `bytes`.
    /// - Parameter samples: interleaved left and right; 1.0 is full scale.
    mutating func encode(_ samples: UnsafeBufferPointer<Float>, into bytes: inout [UInt8])
}

/// 16-bit integers, little-endian, clipped at full scale, with triangular dither of one step to each side.
public struct PCM16Encoder: PacketEncoder {
    private var dither = Dither()
    private let isDithered: Bool

    /// - Parameter dither: false rounds to the nearest step without dither.
    public init(dither: Bool = true) { isDithered = dither }

    public mutating func encode(_ samples: UnsafeBufferPointer<Float>, into bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + 2 * samples.count)
        for sample in samples {
            // NaN becomes silence.
            let scaled = sample.isNaN ? 0 : (sample * 32768 + (isDithered ? dither.next() : 0)).rounded()
            let value = Int16(clamping: max(-32768, min(32767, scaled)))
            bytes.append(UInt8(truncatingIfNeeded: value))
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        }
    }
}

/// Opus packets of one or two channels at 48,000 frames per second.
///
/// Restricted to low delay: measured on binaural sound from 32 to 256 kbit/s, level and interaural errors equal those of Opus's mode for
/// music, at 120 frames of delay instead of 312. Complexity 5 has the same errors as 10 for three quarters of the time.
final class OpusPacketEncoder: PacketEncoder {
    private static let complexity: opus_int32 = 5
    /// Size in bytes of the largest packet: at 256 kbit/s one of 20 ms has 640, and one of a scene less.
    private static let most = 1276

    /// Delay of every encoder of this kind.
    static let standardDelay = OpusPacketEncoder(bitrate: 64_000)?.delay ?? 0

    let delay: Int
    private let encoder: OpaquePointer
    private let channels: Int
    private var finite: [Float] = []

    /// - Returns: nil when the library refuses.
    init?(bitrate: Int, channels: Int = 2) {
        var status: Int32 = 0
        guard let encoder = opus_encoder_create(opus_int32(Opus.rate), Int32(channels), OPUS_APPLICATION_RESTRICTED_LOWDELAY, &status),
            status == OPUS_OK
        else { return nil }
        self.encoder = encoder
        self.channels = channels
        var ahead: opus_int32 = 0
        _ = opus_encoder_set(encoder, OPUS_SET_BITRATE_REQUEST, opus_int32(bitrate))
        _ = opus_encoder_set(encoder, OPUS_SET_COMPLEXITY_REQUEST, Self.complexity)
        _ = opus_encoder_get(encoder, OPUS_GET_LOOKAHEAD_REQUEST, &ahead)
        delay = Int(ahead)
    }

    deinit { opus_encoder_destroy(encoder) }

    func encode(_ samples: UnsafeBufferPointer<Float>, into bytes: inout [UInt8]) {
        finite.removeAll(keepingCapacity: true)
        for sample in samples { finite.append(sample.isNaN ? 0 : max(-1, min(1, sample))) }
        let begin = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: Self.most))
        let count = bytes.withUnsafeMutableBytes { target in
            // SAFETY: `most` bytes follow `begin`; the encoder reads all channels of as many frames as there are.
            opus_encode_float(
                encoder, finite, Int32(finite.count / channels), target.baseAddress!.assumingMemoryBound(to: UInt8.self) + begin,
                opus_int32(Self.most))
        }
        bytes.removeLast(Self.most - max(0, Int(count)))
    }
}
