public import CRealtime

/// A number that changes linearly over one block.
@frozen
public struct Ramp: BitwiseCopyable, Sendable {
    /// Value just before the first frame.
    public var from: Float
    /// Change from frame to frame.
    public var step: Float

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init(from: Float, step: Float) {
        self.from = from
        self.step = step
    }

    /// - Parameters:
    ///   - to: value at the last frame.
    ///   - frames: frames in the block.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init(from: Float, to: Float, frames: Int) {
        self.init(from: from, step: (to - from) / Float(frames))
    }

    /// The value of a fade at constant speed after one more step towards its target.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public static func approach(_ target: Float, from value: Float, step: Float) -> Float { max(value - step, min(value + step, target)) }

    /// True when the value stays the same for the whole block.
    public var isConstant: Bool { @_noLocks @_noAllocation @inlinable @inline(__always) get { step == 0 } }

    /// True when the value is zero for the whole block.
    public var isZero: Bool { @_noLocks @_noAllocation @inlinable @inline(__always) get { from == 0 && step == 0 } }

    /// True when the value is one for the whole block, so that a gain has no effect.
    public var isOne: Bool { @_noLocks @_noAllocation @inlinable @inline(__always) get { from == 1 && step == 0 } }

    /// Value at frame `frame`, counted from 0.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public func value(at frame: Int) -> Float { from + step * Float(frame &+ 1) }

    /// Values at sixteen frames, the first of which is `frame`.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public func lanes(_ frame: Int) -> Lanes {
        rt_fma16(rt_all16(step), Self.count, rt_all16(from + step * Float(frame)))
    }

    /// The numbers 1 to 16: frame counts within one ``Lanes``.
    public static var count: Lanes {
        @_noLocks @_noAllocation @inlinable get { Lanes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) }
    }

    /// Writes a crossfade from one sound, at 0, to another one, at 1; `output` may be either.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public func crossfade(
        from first: UnsafePointer<Float>, to second: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, frames: Int
    ) {
        for i in 0..<frames { output[i] = first[i] + (second[i] - first[i]) * value(at: i) }
    }

    /// Multiplies one channel by the ramp, in place.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public func scale(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        for i in 0..<frames { samples[i] *= value(at: i) }
    }

    /// Multiplies both channels by the ramp, in place.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public func scale(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
        for i in 0..<frames {
            let gain = value(at: i)
            left[i] *= gain
            right[i] *= gain
        }
    }
}
