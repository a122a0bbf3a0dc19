/// An impulse response from a file, for convolution.
public struct ImpulseResponse: Sendable, Equatable {
    /// Paths from an input to an output: left to left and right to right; in true stereo also left to right and right to left,
    /// which are empty otherwise.
    public let left: [Float]
    public let right: [Float]
    public let leftToRight: [Float]
    public let rightToLeft: [Float]
    /// Factor that restores the level of the file.
    public let ownLevel: Float
    /// Warnings about a file that can be used nevertheless.
    public let warnings: [String]

    /// Longest duration in seconds.
    public static let longest = 20.0
    private static let purpose = "an impulse response"

    /// Reads the whole file, resamples it to `rate` if needed, and scales it so that white noise keeps its level
    /// through it, on the louder side. The channels of four are left to left, left to right, right to left, right to right.
    ///
    /// - Throws: ``MediaError`` when the file is not a sound file, is empty, silent or too long, or has three or more than four
    ///   channels.
    public init(path: String, rate: Int) throws(MediaError) { self = try Self.read(path: path, rate: rate) { _ in true }! }

    /// The same as ``init(path:rate:)``, with progress.
    ///
    /// - Parameter progress: called with the completed share, 0 to 1; returns whether to continue.
    /// - Returns: nil if `progress` stopped the work, and only then.
    public static func read(
        path: String, rate: Int, progress: (Double) -> Bool
    ) throws(MediaError) -> ImpulseResponse? {
        let sound = try WholeSound.read(
            path: path, rate: rate, longest: longest, purpose: purpose, isTrueStereo: true, progress: progress)
        guard let sound, progress(1) else { return nil }
        let (samples, channels) = (sound.interleaved, sound.channels)
        let rows = (0..<channels).map { side in stride(from: side, to: samples.count, by: channels).map { samples[$0] } }
        let energies = rows.map { $0.reduce(0.0) { $0 + Double($1) * Double($1) } }
        // Each output hears both inputs in true stereo.
        let energy = channels == 4 ? max(energies[0] + energies[2], energies[1] + energies[3]) : energies.max()!
        guard energy > 1e-12 else {
            throw MediaError("\(path) is silent, so its output would be silent as well. Name another file.")
        }
        let gain = Float(1 / energy.squareRoot())
        let paths = rows.map { $0.map { $0 * gain } }
        // At a higher rate, the convolution sums more samples.
        let ownLevel = Float(energy.squareRoot() * Double(sound.fileRate) / Double(rate))
        return channels == 4
            ? ImpulseResponse(paths[0], paths[3], leftToRight: paths[1], rightToLeft: paths[2], ownLevel, sound.warnings)
            : ImpulseResponse(paths[0], paths[1], leftToRight: [], rightToLeft: [], ownLevel, sound.warnings)
    }

    /// Refuses a file for every fault but silence, without reading the sound.
    public static func check(path: String) throws(MediaError) {
        _ = try WholeSound.open(path: path, longest: longest, purpose: purpose, isTrueStereo: true)
    }

    private init(
        _ left: [Float], _ right: [Float], leftToRight: [Float], rightToLeft: [Float], _ ownLevel: Float, _ warnings: [String]
    ) {
        (self.left, self.right, self.leftToRight, self.rightToLeft) = (left, right, leftToRight, rightToLeft)
        (self.ownLevel, self.warnings) = (ownLevel, warnings)
    }
}
