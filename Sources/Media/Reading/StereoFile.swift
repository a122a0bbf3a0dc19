/// A sound file of one or two channels, open for reading. Not thread-safe.
public final class StereoFile {
    private let file: SoundFile

    /// - Throws: ``MediaError`` when the file is not a sound file, is empty, or has more than two channels.
    public init(path: String) throws(MediaError) {
        file = try SoundFile(path: path)
        guard file.channels <= 2 else {
            throw MediaError(
                "\(path) has \(file.channels) channels, but effects process one or two. Export the channels you want to "
                    + "a file of their own."
            )
        }
    }

    /// Number of channels, 1 or 2.
    public var channels: Int { file.channels }
    /// Frames per second.
    public var rate: Int { file.rate }
    public var frames: Int { file.frames }
    /// Warnings about a file that can be read nevertheless.
    public var warnings: [String] { file.allWarnings }

    /// Reads up to `count` interleaved frames; fewer only at the end.
    public func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        try file.read(into: target, frames: count)
    }
}
