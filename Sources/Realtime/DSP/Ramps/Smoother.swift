public import CRealtime

/// A number that follows its target without steps: a one-pole low-pass from block to block, a ``Ramp`` inside each.
///
/// The first target is adopted at once; later ones are approached exponentially and adopted exactly when near.
@frozen
public struct Smoother: BitwiseCopyable, Sendable {
    /// Value at the end of the last block; NaN before the first one.
    public var value: Float

    /// Starts at the first target.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init() { value = .nan }

    /// Starts at `value`.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init(_ value: Float) { self.value = value }

    /// Share of the distance to the target that one block covers.
    ///
    /// - Parameter seconds: time constant, in which the distance shrinks to 1/e.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public static func share(frames: Int, rate: Float, seconds: Float = SmoothingTime.effect) -> Float {
        1 - rt_exp(-Float(frames) / (seconds * rate))
    }

    /// The value after one block, for numbers that are kept elsewhere.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public static func next(_ value: Float, to target: Float, share: Float) -> Float { value + (target - value) * share }

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public static func next(_ value: Double, to target: Double, share: Double) -> Double { value + (target - value) * share }

    /// The value after one block with an absolute tolerance, for numbers that are kept elsewhere.
    ///
    /// - Parameter tolerance: remaining distance below which the target is taken exactly.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public static func next(_ value: Float, to target: Float, share: Float, tolerance: Float) -> Float {
        let next = next(value, to: target, share: share)
        return abs(target - next) < tolerance ? target : next
    }

    /// The values after one block: all targets are taken exactly once every distance is below the tolerance, and at once when a value is
    /// not a number.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public static func next(_ values: SIMD4<Float>, to targets: SIMD4<Float>, share: Float, tolerance: Float) -> SIMD4<Float> {
        let next = values + (targets - values) * share
        let rest = targets - next
        return (rest * rest).max() < tolerance * tolerance || rest.sum() != rest.sum() ? targets : next
    }

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public static func next(_ values: SIMD8<Float>, to targets: SIMD8<Float>, share: Float, tolerance: Float) -> SIMD8<Float> {
        let next = values + (targets - values) * share
        let rest = targets - next
        return (rest * rest).max() < tolerance * tolerance || rest.sum() != rest.sum() ? targets : next
    }

    /// Advances by one block and returns the ramp from the old value to the new one.
    ///
    /// - Parameters:
    ///   - share: the result of ``share(frames:rate:seconds:)``.
    ///   - frames: frames in the block.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public mutating func ramp(to target: Float, share: Float, frames: Int) -> Ramp {
        let from = value
        advance(to: target, share: share)
        guard from == from else { return Ramp(from: value, step: 0) }
        return Ramp(from: from, to: value, frames: frames)
    }

    /// Advances by one block and returns the new value.
    ///
    /// The target is adopted exactly once the distance is within a relative 1e-5 (of at least 1e-3).
    @discardableResult @_noLocks @_noAllocation @inlinable @inline(__always)
    public mutating func advance(to target: Float, share: Float) -> Float {
        let rest = target - value
        let isNear = abs(rest) <= 1e-5 * max(abs(target), 1e-3)
        value = isNear || value != value ? target : value + rest * share
        return value
    }

    /// Like ``ramp(to:share:frames:)``, but with an absolute tolerance.
    ///
    /// - Parameter tolerance: distance left after the block below which the target is taken exactly.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public mutating func ramp(to target: Float, share: Float, frames: Int, tolerance: Float) -> Ramp {
        let from = value
        advance(to: target, share: share, tolerance: tolerance)
        guard from == from else { return Ramp(from: value, step: 0) }
        return Ramp(from: from, to: value, frames: frames)
    }

    /// Like ``advance(to:share:)``, but with an absolute tolerance.
    @discardableResult @_noLocks @_noAllocation @inlinable @inline(__always)
    public mutating func advance(to target: Float, share: Float, tolerance: Float) -> Float {
        value = value == value ? Self.next(value, to: target, share: share, tolerance: tolerance) : target
        return value
    }

    /// Clears the value: the next target is adopted at once.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public mutating func reset() { value = .nan }
}
