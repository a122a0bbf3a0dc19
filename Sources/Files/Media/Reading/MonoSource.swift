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
