/// One channel of sound that a scene can be made from: read in order, from any place.
public protocol MonoSource: AnyObject {
    var name: String { get }
    /// Frames per second.
    var rate: Int { get }
    var frames: Int { get }

    /// The next read begins at `frame`, 0 to `frames`.
    func seek(to frame: Int) throws(MediaError)
    /// Returns how many were read: fewer than asked only at the end.
    func read(into target: UnsafeMutablePointer<Float>, frames: Int) throws(MediaError) -> Int
}

extension MonoSource {
    /// `count` frames from `start`, in a signal of `length` frames that repeats for ever: this source,
    /// then silence up to `length`.
    func readRound(
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

    /// `count` frames from `start`, silence after the end.
    func readPadded(into target: UnsafeMutablePointer<Float>, from start: Int, frames count: Int) throws(MediaError) {
        var done = 0
        if start < frames {
            try seek(to: start)
            done = try read(into: target, frames: min(count, frames - start))
        }
        (target + done).update(repeating: 0, count: count - done)
    }
}
