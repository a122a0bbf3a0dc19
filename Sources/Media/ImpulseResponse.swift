/// An impulse response from a file, for convolution.
public struct ImpulseResponse: Sendable, Equatable {
    public let left: [Float]
    public let right: [Float]

    /// Seconds; what is longer is refused.
    public static let longest = 20.0

    /// Read whole, resampled to `rate` where it has another, and scaled so that white noise goes through it at its
    /// own level.
    ///
    /// - Throws: ``MediaError`` when it is no sound file, empty, silent, too long, or has more than two channels.
    public init(path: String, rate: Int) throws(MediaError) {
        let samples = try WholeSound(path: path, rate: rate, longest: Self.longest, purpose: "an impulse response").interleaved
        let rows = (0..<2).map { side in stride(from: side, to: samples.count, by: 2).map { samples[$0] } }
        let energy = rows.map { $0.reduce(0.0) { $0 + Double($1) * Double($1) } }.max()!
        guard energy > 1e-12 else {
            throw MediaError("\(path) is silent, so that nothing would be heard through it. Name another file.")
        }
        let gain = Float(1 / energy.squareRoot())
        left = rows[0].map { $0 * gain }
        right = rows[1].map { $0 * gain }
    }
}
