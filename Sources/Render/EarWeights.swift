internal import Binaural
internal import CRealtime
internal import DSP

/// The weight of every row in one ear: at the end of the last block, and when the method was chosen.
///
/// What only matters within a block, the target and the weights at the block's beginning, is in ``MixWork``, which
/// all ears share: with many listeners, memory that was not touched lately is what costs most.
struct EarWeights: ~Copyable, Sendable {
    // SAFETY: two parts of one piece of memory that this value, which cannot be copied, owns alone.
    nonisolated(unsafe) let now: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    nonisolated(unsafe) let left: UnsafeMutablePointer<Float>

    init() {
        now = .allocateAligned(2 * Taps.rows)
        left = now + Taps.rows
    }

    deinit { now.deallocate() }

    @_noLocks @_noAllocation
    func clear() { rt_zero(now, 2 &* Taps.rows) }

    /// Keeps what is heard now, to fade away from.
    @_noLocks @_noAllocation
    func keep() { rt_copy(left, now, Taps.rows) }

    /// `work.before` becomes `now`, and `now` the mix of `left` and `work.target`, for the rows `from..<from + count`.
    @_noLocks @_noAllocation
    func advance(from: Int, count: Int, share: Float, work: borrowing MixWork) {
        var row = from
        while row < from &+ count {
            work.before.setLanes(row, now.lanes(row))
            let target = work.target.lanes(row)
            if share < 1 {
                let old = left.lanes(row)
                now.setLanes(row, old + (target - old) * share)
            } else {
                now.setLanes(row, target)
            }
            row = row &+ laneCount
        }
    }

    /// Bit k is set when row `from + k` is heard at the block's beginning or end.
    @_noLocks @_noAllocation
    func heard(from: Int, work: borrowing MixWork) -> UInt32 {
        rt_nonzero16(work.before.lanes(from), now.lanes(from))
    }

    /// Begins with `now`, without a walk.
    @_noLocks @_noAllocation
    func settle(from: Int, count: Int, work: borrowing MixWork) {
        rt_copy(work.before + from, now + from, roundedToLanes(count))
    }
}
