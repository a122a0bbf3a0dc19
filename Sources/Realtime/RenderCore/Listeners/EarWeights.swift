internal import Binaural
internal import CRealtime
internal import DSP

/// The weight of every row in one ear: at the end of the last block, and when the method was chosen.
///
/// The target and the weights at the block's beginning are needed within a block only and are in ``RenderWork``, which
/// all ears share: with many listeners, memory that is not in a cache is the largest cost.
struct EarWeights: ~Copyable, Sendable {
    // SAFETY: two parts of one allocation that is owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let now: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    nonisolated(unsafe) let former: UnsafeMutablePointer<Float>
    private let count: Int

    init() {
        count = Taps.rows
        now = .allocateAligned(2 * count)
        former = now + count
    }

    deinit { now.deallocate() }

    @_noLocks @_noAllocation
    func clear() { rt_zero(now, 2 &* count) }

    /// Keeps the current weights as the beginning of a crossfade.
    @_noLocks @_noAllocation
    func keep() { rt_copy(former, now, count) }

    /// Advances sixteen rows from `row` on towards `work.target`, which is zero afterwards; returns their weights before
    /// and after.
    ///
    /// - Parameters:
    ///   - share: share of the target in the weights, 0 to 1; the rest are the weights kept by ``keep()``.
    ///   - isFresh: start at the target, without a ramp.
    @_noLocks @_noAllocation
    @inline(__always)
    func advance(_ row: Int, share: Float, isFresh: Bool, work: borrowing RenderWork) -> (before: Lanes, now: Lanes) {
        let target = work.target.lanes(row)
        work.target.setLanes(row, .zero)
        var next = target
        if share < 1 {
            let old = former.lanes(row)
            next = old + (target - old) * share
        }
        let before = isFresh ? next : now.lanes(row)
        now.setLanes(row, next)
        return (before, next)
    }

    /// Advances the weights of some bands; their former weights are in `work.before` afterwards.
    @_noLocks @_noAllocation
    func ramp(_ bands: BandSet, _ channels: Int, share: Float, isFresh: Bool, work: borrowing RenderWork) {
        var rest = bands
        while let band = rest.popFirst() {
            var row = band &* MicrophoneArray.capacity
            let end = row &+ channels
            while row < end {
                work.before.setLanes(row, advance(row, share: share, isFresh: isFresh, work: work).before)
                row = row &+ laneCount
            }
        }
    }

    /// A set of bits: bit k is set when row `from + k` has a weight at the block's beginning or end.
    @_noLocks @_noAllocation
    func heard(from: Int, work: borrowing RenderWork) -> UInt32 {
        rt_nonzero16(work.before.lanes(from), now.lanes(from))
    }
}
