/// An impulse response from a file, for convolution.
public struct ImpulseResponse: Sendable, Equatable {
    public let left: [Float]
    public let right: [Float]
    /// Warnings about a file that can be used nevertheless.
    public let warnings: [String]

    /// Longest duration in seconds.
    public static let longest = 20.0
    private static let purpose = "an impulse response"

    /// Reads the whole file, resamples it to `rate` if needed, and scales it so that white noise keeps its level
    /// through it.
    ///
    /// - Throws: ``MediaError`` when the file is not a sound file, is empty, silent or too long, or has more than two channels.
    public init(path: String, rate: Int) throws(MediaError) { self = try Self.read(path: path, rate: rate) { _ in true }! }

    /// The same as ``init(path:rate:)``, with progress.
    ///
    /// - Parameter progress: called with the completed share, 0 to 1; returns whether to continue.
    /// - Returns: nil if `progress` stopped the work, and only then.
    public static func read(
        path: String, rate: Int, progress: (Double) -> Bool
    ) throws(MediaError) -> ImpulseResponse? {
        let sound = try WholeSound.read(path: path, rate: rate, longest: longest, purpose: purpose, progress: progress)
        guard let sound, progress(1) else { return nil }
        let samples = sound.interleaved
        let rows = (0..<2).map { side in stride(from: side, to: samples.count, by: 2).map { samples[$0] } }
        let energy = rows.map { $0.reduce(0.0) { $0 + Double($1) * Double($1) } }.max()!
        guard energy > 1e-12 else {
            throw MediaError("\(path) is silent, so its output would be silent as well. Name another file.")
        }
        let gain = Float(1 / energy.squareRoot())
        return ImpulseResponse(left: rows[0].map { $0 * gain }, right: rows[1].map { $0 * gain }, warnings: sound.warnings)
    }

    /// Refuses a file for every fault but silence, without reading the sound.
    public static func check(path: String) throws(MediaError) {
        _ = try WholeSound.open(path: path, longest: longest, purpose: purpose)
    }

    private init(left: [Float], right: [Float], warnings: [String]) {
        (self.left, self.right, self.warnings) = (left, right, warnings)
    }
}
