internal import Foundation

/// One channel of sound for scene synthesis, read sequentially from any position.
public protocol MonoSource: AnyObject {
    var name: String { get }
    /// Frames per second.
    var rate: Int { get }
    var frames: Int { get }

    /// Makes the next read begin at `frame`, 0 to `frames`.
    func seek(to frame: Int) throws(MediaError)
    /// Returns the number of frames read: fewer than requested only at the end.
    func read(into target: UnsafeMutablePointer<Float>, frames: Int) throws(MediaError) -> Int
}

extension MonoSource {
    /// Reads `count` frames from `start` of a periodic signal of `length` frames: this source, then silence up to
    /// `length`.
    package func readRound(
        into target: UnsafeMutablePointer<Float>, from start: Int, frames count: Int, length: Int
    ) throws(MediaError) {
        var done = 0
        while done < count {
            let place = ((start + done) % length + length) % length
            let take = min(count - done, length - place)
            try readPadded(into: target + done, from: place, frames: take)
            done += take
        }
    }

    /// Reads `count` frames from `start`, with silence after the end.
    package func readPadded(into target: UnsafeMutablePointer<Float>, from start: Int, frames count: Int) throws(MediaError) {
        var done = 0
        if start < frames {
            try seek(to: start)
            done = try read(into: target, frames: min(count, frames - start))
        }
        (target + done).update(repeating: 0, count: count - done)
    }
}

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
