import Foundation

/// Integrated loudness of two channels (ITU-R BS.1770-4): K-weighted, in blocks of 400 ms, gated. Not for audio threads.
public struct Loudness {
    /// Coefficients of one section, and its two states for each channel.
    private struct Section {
        let b: SIMD3<Double>
        let a: SIMD2<Double>
        var first = SIMD2<Double>.zero
        var second = SIMD2<Double>.zero

        mutating func filter(_ x: SIMD2<Double>) -> SIMD2<Double> {
            let y = b.x * x + first
            first = b.y * x - a.x * y + second
            second = b.z * x - a.y * y
            return y
        }
    }

    private var shelf: Section
    private var highPass: Section
    /// Frames in a quarter of a block.
    private let hop: Int
    private var sum = SIMD2<Double>.zero
    private var filled = 0
    /// Power of each quarter of a block, both channels.
    private var quarters: [Double] = []

    /// - Parameter rate: frames per second.
    public init(rate: Double) {
        shelf = Self.shelf(rate)
        highPass = Self.highPass(rate)
        hop = Int(clamping: (rate / 10).rounded())
    }

    /// Takes further frames.
    public mutating func add(left: [Float], right: [Float], frames: Int) {
        for i in 0..<frames {
            let weighted = highPass.filter(shelf.filter(SIMD2(Double(left[i]), Double(right[i]))))
            sum += weighted * weighted
            filled += 1
            guard filled == hop else { continue }
            quarters.append(sum.sum() / Double(hop))
            (sum, filled) = (.zero, 0)
        }
    }

    /// Loudness of all frames so far, LUFS; nil for silence, and for less than one block.
    public var integrated: Double? {
        guard quarters.count >= 4 else { return nil }
        let blocks = (3..<quarters.count).map { quarters[($0 - 3)...$0].reduce(0, +) / 4 }
        let loud = blocks.filter { Self.loudness($0) > -70 }
        guard !loud.isEmpty else { return nil }
        let gate = Self.loudness(loud.reduce(0, +) / Double(loud.count)) - 10
        let kept = loud.filter { Self.loudness($0) > gate }
        return Self.loudness(kept.reduce(0, +) / Double(kept.count))
    }

    private static func loudness(_ power: Double) -> Double { -0.691 + 10 * log10(max(power, 1e-30)) }

    /// The head's high shelf: 4 dB above 1.7 kHz; the analogue prototype of the recommendation's coefficients for 48 kHz.
    private static func shelf(_ rate: Double) -> Section {
        let (gain, q) = (3.999843853973347, 0.7071752369554196)
        let k = tan(.pi * 1681.974450955533 / rate)
        let (high, band) = (pow(10, gain / 20), pow(pow(10, gain / 20), 0.4996667741545416))
        let norm = 1 + k / q + k * k
        return Section(
            b: SIMD3(high + band * k / q + k * k, 2 * (k * k - high), high - band * k / q + k * k) / norm,
            a: SIMD2(2 * (k * k - 1), 1 - k / q + k * k) / norm)
    }

    /// The high-pass at 38 Hz.
    private static func highPass(_ rate: Double) -> Section {
        let q = 0.5003270373238773
        let k = tan(.pi * 38.13547087602444 / rate)
        let norm = 1 + k / q + k * k
        return Section(b: SIMD3(1, -2, 1), a: SIMD2(2 * (k * k - 1), 1 - k / q + k * k) / norm)
    }
}
