/// A sound file of one or two channels, open for reading. For one thread at a time.
public final class StereoFile {
    private let file: SoundFile

    /// - Throws: ``MediaError`` when it is no sound file, empty, or has more channels.
    public init(path: String) throws(MediaError) {
        file = try SoundFile(path: path)
        guard file.channels <= 2 else {
            throw MediaError(
                "\(path) has \(file.channels) channels, and effects work on one or two. Make a file of those you want.")
        }
    }

    /// 1 or 2.
    public var channels: Int { file.channels }
    /// Frames per second.
    public var rate: Int { file.rate }
    public var frames: Int { file.frames }
    /// What a person should know about a file that is read all the same.
    public var warnings: [String] { file.warnings }

    /// Reads up to `count` interleaved frames; fewer only at the end.
    public func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        try file.read(into: target, frames: count)
    }
}
