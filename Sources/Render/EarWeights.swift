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

    /// One step towards `work.target`, which is zero afterwards, from what was heard when the method was chosen:
    /// sixteen rows from `row` on. Returns what they had before, and have now.
    @_noLocks @_noAllocation
    @inline(__always)
    func advance(_ row: Int, share: Float, isFresh: Bool, work: borrowing MixWork) -> (before: Lanes, now: Lanes) {
        let target = work.target.lanes(row)
        work.target.setLanes(row, .zero)
        var next = target
        if share < 1 {
            let old = left.lanes(row)
            next = old + (target - old) * share
        }
        // Begins with what it wants, without a walk.
        let before = isFresh ? next : now.lanes(row)
        now.setLanes(row, next)
        return (before, next)
    }

    /// Moves the weights of some bands on; what they were before is in `work.before`.
    @_noLocks @_noAllocation
    func walk(_ bands: BandSet, _ channels: Int, share: Float, isFresh: Bool, work: borrowing MixWork) {
        var rest = bands
        while let band = rest.popFirst() {
            var row = band &* 64
            let end = row &+ channels
            while row < end {
                work.before.setLanes(row, advance(row, share: share, isFresh: isFresh, work: work).before)
                row = row &+ laneCount
            }
        }
    }

    /// Bit k is set when row `from + k` is heard at the block's beginning or end.
    @_noLocks @_noAllocation
    func heard(from: Int, work: borrowing MixWork) -> UInt32 {
        rt_nonzero16(work.before.lanes(from), now.lanes(from))
    }
}
