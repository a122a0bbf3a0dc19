internal import Foundation

/// A mono sound file at its own rate, in any format that ``SoundFile`` reads.
///
/// Not thread-safe.
public final class MonoFile: MonoSource {
    /// File name without folder and extension.
    public let name: String
    private let file: SoundFile

    public init(path: String) throws(MediaError) {
        file = try SoundFile(path: path)
        name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        guard file.channels == 1 else {
            throw MediaError(
                "\(path) has \(file.channels) channels, but a source is a single point in space and must be mono. Split it into one file "
                    + "per channel, each with its own direction, or mix it down.")
        }
    }

    public var rate: Int { file.rate }
    public var frames: Int { file.frames }
    /// Warnings about a file that can be read nevertheless.
    public var warnings: [String] { file.warnings }
    /// The samples read so far that were limited, each counted once.
    public var limited: LimitedSamples { file.limitedSamples }

    public func seek(to frame: Int) throws(MediaError) { try file.seek(frame: frame) }

    public func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        try file.read(into: target, frames: count)
    }
}
