internal import DSP

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
