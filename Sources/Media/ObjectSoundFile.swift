/// A sound file in memory for a sound object: one channel at the engine's rate, that goes round without a click.
public struct ObjectSoundFile: Sendable {
    public let mono: [Float]
    /// What a person should know about a file that is used all the same.
    public let warnings: [String]

    /// Seconds that one may last.
    public static let longest = 600.0
    private static let purpose = "the sound of an object"

    /// Refuses what can be seen to be wrong without reading the sound.
    /// - Throws: ``MediaError`` when it is no sound file, empty, too long, or has more than two channels.
    public static func check(path: String) throws(MediaError) {
        _ = try WholeSound.open(path: path, longest: longest, purpose: purpose)
    }

    /// Reads a file; of two channels the mean.
    ///
    /// - Parameters:
    ///   - rate: frames per second.
    ///   - progress: told the share that is done, 0 to 1; says whether to go on.
    /// - Returns: nil when told not to go on, and only then.
    /// - Throws: ``MediaError``, as ``check(path:)`` does, and for what cannot be read.
    public static func read(path: String, rate: Int, progress: (Double) -> Bool = { _ in true }) throws(MediaError) -> Self? {
        let sound = try WholeSound.read(path: path, rate: rate, longest: longest, purpose: purpose, progress: progress)
        return sound.map { Self(mono: closed(mean($0.interleaved), rate: rate), warnings: $0.warnings) }
    }

    private static func mean(_ interleaved: [Float]) -> [Float] {
        (0..<interleaved.count / 2).map { 0.5 * (interleaved[2 * $0] + interleaved[2 * $0 + 1]) }
    }

    /// The same with an end that goes over into its beginning, which stays as it is.
    private static func closed(_ sound: [Float], rate: Int) -> [Float] {
        // Seen from the end, the end is what follows the seam.
        var backwards = Array(sound.reversed())
        let length = min(sound.count, Int(LoopSeam.fadeTime * Double(rate)))
        let seam = LoopSeam(
            tail: Array(backwards.suffix(LoopSeam.window)), head: Array(backwards.prefix(LoopSeam.window)), channels: 1,
            length: length)
        backwards.withUnsafeMutableBufferPointer { samples in
            guard let first = samples.baseAddress else { return }
            seam.apply(first, place: 0, frames: length)
        }
        return backwards.reversed()
    }
}
