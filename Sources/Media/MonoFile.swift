internal import Foundation

/// A mono sound file at the rate it has, of any kind that ``SoundFile`` reads.
///
/// For one thread at a time.
public final class MonoFile: MonoSource {
    /// The file's, without folder and extension.
    public let name: String
    private let file: SoundFile

    public init(path: String) throws(MediaError) {
        file = try SoundFile(path: path)
        name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        guard file.channels == 1 else {
            throw MediaError(
                "\(path) has \(file.channels) channels, and a source is one point in space, so it must be mono. "
                    + "Make a file of each channel, or mix them, and give each its own direction.")
        }
    }

    public var rate: Int { file.rate }
    public var frames: Int { file.frames }
    /// What a person should know about a file that is read all the same.
    public var warnings: [String] { file.warnings }

    public func seek(to frame: Int) throws(MediaError) { try file.seek(frame: frame) }

    public func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        try file.read(into: target, frames: count)
    }
}
