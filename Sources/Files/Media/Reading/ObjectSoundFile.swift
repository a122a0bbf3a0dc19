public import Parameters

/// A sound file in memory for a sound object: one channel at the engine rate that loops without a click.
public struct ObjectSoundFile: Sendable {
    public let mono: [Float]
    /// Warnings about a file that can be used nevertheless.
    public let warnings: [String]

    /// Longest accepted duration in seconds.
    public static let longest = 600.0
    private static let purpose = "the sound of an object"

    /// Refuses an unsuitable file without reading the sound.
    /// - Throws: ``MediaError`` when the file is not a sound file, is empty or too long, or has more than two channels.
    public static func check(path: String) throws(MediaError) {
        _ = try WholeSound.open(path: path, longest: longest, purpose: purpose)
    }

    /// Reads a channel of a file, or the average of both.
    ///
    /// - Parameters:
    ///   - rate: frames per second.
    ///   - channel: of a stereo file.
    ///   - progress: called with the completed share, 0 to 1; returns whether to continue.
    /// - Returns: nil if `progress` stopped the work, and only then.
    /// - Throws: ``MediaError`` for the faults of ``check(path:)``, and when the file cannot be read.
    public static func read(
        path: String, rate: Int, channel: SoundChannel = .both, progress: (Double) -> Bool = { _ in true }
    ) throws(MediaError) -> Self? {
        let sound = try WholeSound.read(path: path, rate: rate, longest: longest, purpose: purpose, progress: progress)
        return sound.map { Self(mono: closed(mono($0.interleaved, channel), rate: rate), warnings: $0.warnings) }
    }

    private static func mono(_ interleaved: [Float], _ channel: SoundChannel) -> [Float] {
        let frames = 0..<interleaved.count / 2
        return switch channel {
        case .both: frames.map { 0.5 * (interleaved[2 * $0] + interleaved[2 * $0 + 1]) }
        case .left: frames.map { interleaved[2 * $0] }
        case .right: frames.map { interleaved[2 * $0 + 1] }
        }
    }

    /// Returns the sound with its end adjusted to join its unchanged beginning.
    private static func closed(_ sound: [Float], rate: Int) -> [Float] {
        // In the reversed sound, the end follows the seam.
        var backwards = Array(sound.reversed())
        let length = min(sound.count, Int(clamping: LoopSeam.fadeTime * Double(rate)))
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
