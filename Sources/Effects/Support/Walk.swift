internal import CRealtime
internal import DSP

/// The way of one number across one block: a straight line.
struct Walk: BitwiseCopyable, Sendable {
    /// Just before the first frame.
    var from: Float
    /// From frame to frame.
    var step: Float

    @_noLocks @_noAllocation @inline(__always)
    init(from: Float, step: Float) {
        self.from = from
        self.step = step
    }

    var isAtRest: Bool { @_noLocks @_noAllocation @inline(__always) get { step == 0 } }

    /// At sixteen frames, the first of which is `frame`.
    @_noLocks @_noAllocation @inline(__always)
    func lanes(_ frame: Int) -> Lanes {
        rt_fma16(rt_all16(step), Self.count, rt_all16(from + step * Float(frame)))
    }

    /// 1 to 16.
    static var count: Lanes {
        @_noLocks @_noAllocation get { Lanes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) }
    }
}

/// A number that follows its target without steps: a one-pole low-pass from block to block, a line inside.
struct Glide: BitwiseCopyable, Sendable {
    /// Where the last block ended; not a number before the first one, which begins at its target.
    private(set) var value = Float.nan

    /// Share of the way that a block of `frames` goes when the rest shrinks to 1/e in `seconds`.
    @_noLocks @_noAllocation
    static func share(frames: Int, rate: Float, seconds: Float = 0.02) -> Float {
        1 - rt_exp(-Float(frames) / (seconds * rate))
    }

    /// Goes on towards `target`, arriving exactly once it is near.
    ///
    /// - Parameters:
    ///   - share: of ``share(frames:rate:seconds:)``.
    ///   - frames: of this block.
    @_noLocks @_noAllocation @inline(__always)
    mutating func walk(to target: Float, share: Float, frames: Int) -> Walk {
        let from = value
        advance(to: target, share: share)
        guard from == from else { return Walk(from: value, step: 0) }
        return Walk(from: from, step: (value - from) / Float(frames))
    }

    /// The same for numbers that are needed once a block; returns where it is at the end.
    @discardableResult @_noLocks @_noAllocation @inline(__always)
    mutating func advance(to target: Float, share: Float) -> Float {
        let rest = target - value
        let isNear = abs(rest) <= 1e-5 * max(abs(target), 1e-3)
        value = isNear || value != value ? target : value + rest * share
        return value
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func reset() { value = .nan }
}

/// A ``Walk`` sixteen frames at a time, from the block's first frame on.
struct WalkLanes: BitwiseCopyable, Sendable {
    private(set) var now: Lanes
    private let step: Lanes

    @_noLocks @_noAllocation @inline(__always)
    init(_ walk: Walk) {
        now = walk.lanes(0)
        step = rt_all16(walk.step * 16)
    }

    /// On to the next sixteen.
    @_noLocks @_noAllocation @inline(__always)
    mutating func next() { now = now + step }
}
