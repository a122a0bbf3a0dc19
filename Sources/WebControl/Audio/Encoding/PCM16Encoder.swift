/// 16-bit integers, little-endian, clipped at full scale, with triangular dither of one step to each side.
public struct PCM16Encoder: PacketEncoder {
    public let delay = 0
    /// State of a xorshift generator; never 0.
    private var random: UInt32 = 0x2545_F491
    private let isDithered: Bool

    /// - Parameter dither: false rounds to the nearest step without dither.
    public init(dither: Bool = true) { isDithered = dither }

    public mutating func encode(_ samples: UnsafeBufferPointer<Float>, into bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + 2 * samples.count)
        for sample in samples {
            // The difference of two uniform numbers is triangular; NaN becomes silence.
            let noise = isDithered ? uniform() - uniform() : 0
            let scaled = sample.isNaN ? 0 : (sample * 32768 + noise).rounded()
            let value = Int16(clamping: max(-32768, min(32767, scaled)))
            bytes.append(UInt8(truncatingIfNeeded: value))
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        }
    }

    /// 0 to 1.
    private mutating func uniform() -> Float {
        random ^= random << 13
        random ^= random >> 17
        random ^= random << 5
        return Float(random >> 8) * 0x1p-24
    }
}
