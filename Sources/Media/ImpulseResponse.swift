/// An impulse response from a file, for convolution.
public struct ImpulseResponse: Sendable, Equatable {
    public let left: [Float]
    public let right: [Float]

    /// Seconds; what is longer is refused.
    public static let longest = 20.0
    private static let purpose = "an impulse response"

    /// Read whole, resampled to `rate` where it has another, and scaled so that white noise goes through it at its
    /// own level.
    ///
    /// - Throws: ``MediaError`` when it is no sound file, empty, silent, too long, or has more than two channels.
    public init(path: String, rate: Int) throws(MediaError) { self = try Self.read(path: path, rate: rate) { _ in true }! }

    /// As ``init(path:rate:)``.
    ///
    /// - Parameter progress: told the share that is done, 0 to 1; says whether to go on.
    /// - Returns: nil when told not to go on, and only then.
    public static func read(
        path: String, rate: Int, progress: (Double) -> Bool
    ) throws(MediaError) -> ImpulseResponse? {
        let sound = try WholeSound.read(path: path, rate: rate, longest: longest, purpose: purpose, progress: progress)
        guard let samples = sound?.interleaved, progress(1) else { return nil }
        let rows = (0..<2).map { side in stride(from: side, to: samples.count, by: 2).map { samples[$0] } }
        let energy = rows.map { $0.reduce(0.0) { $0 + Double($1) * Double($1) } }.max()!
        guard energy > 1e-12 else {
            throw MediaError("\(path) is silent, so that nothing would be heard through it. Name another file.")
        }
        let gain = Float(1 / energy.squareRoot())
        return ImpulseResponse(left: rows[0].map { $0 * gain }, right: rows[1].map { $0 * gain })
    }

    /// Refuses what can be seen to be wrong without reading the sound: all but silence.
    public static func check(path: String) throws(MediaError) {
        _ = try WholeSound.open(path: path, longest: longest, purpose: purpose)
    }

    private init(left: [Float], right: [Float]) { (self.left, self.right) = (left, right) }
}
