/// A sound file of one or two channels, or of four for impulse responses, open for reading. Not thread-safe.
public final class StereoFile {
    private let file: SoundFile

    /// - Parameters:
    ///   - purpose: the use of the file, for error messages.
    ///   - isTrueStereo: whether the file may have four channels.
    /// - Throws: ``MediaError`` when the file is not a sound file, is empty, or has another number of channels.
    public init(path: String, purpose: String, isTrueStereo: Bool = false) throws(MediaError) {
        file = try SoundFile(path: path)
        guard !isTrueStereo || file.channels <= 2 || file.channels == 4 else {
            throw MediaError(
                "\(path) has \(file.channels) channels, but an impulse response has one, two, or four (left to left, left to right, "
                    + "right to left, right to right). Export the channels you want to a file of their own.")
        }
        guard isTrueStereo || file.channels <= 2 else {
            throw MediaError(
                "\(path) has \(file.channels) channels, but \(purpose) has one or two. Export the channels you want to a file of their own."
            )
        }
    }

    /// Number of channels: 1, 2 or 4.
    public var channels: Int { file.channels }
    /// Frames per second.
    public var rate: Int { file.rate }
    public var frames: Int { file.frames }
    /// Warnings about a file that can be read nevertheless.
    public var warnings: [String] { file.warnings }
    /// The samples read so far that were limited, each counted once.
    public var limited: LimitedSamples { file.limitedSamples }

    /// Reads up to `count` interleaved frames; fewer only at the end.
    public func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        try file.read(into: target, frames: count)
    }
}
