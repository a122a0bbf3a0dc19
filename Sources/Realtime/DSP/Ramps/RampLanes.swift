public import CRealtime

/// A ``Ramp`` read sixteen frames at a time, from the first frame of the block.
@frozen
public struct RampLanes: BitwiseCopyable, Sendable {
    public var now: Lanes
    @usableFromInline let step: Lanes

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init(_ ramp: Ramp) {
        now = ramp.lanes(0)
        step = rt_all16(ramp.step * 16)
    }

    /// Advances to the next sixteen frames.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public mutating func next() { now = rt_add16(now, step) }
}
