internal import Binaural
internal import CRealtime
internal import DSP

/// The weight of every row in one ear, in four tables: what the method wants; what was heard when the method
/// was chosen; at the end of the last block; at the end of this one.
struct EarWeights: ~Copyable, Sendable {
    // SAFETY: four parts of one piece of memory that this value, which cannot be copied, owns alone.
    nonisolated(unsafe) let target: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    nonisolated(unsafe) let left: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    nonisolated(unsafe) let before: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    nonisolated(unsafe) let now: UnsafeMutablePointer<Float>

    init() {
        let rows = Taps.rows
        target = .allocate(capacity: 4 * rows)
        target.initialize(repeating: 0, count: 4 * rows)
        left = target + rows
        before = target + 2 * rows
        now = target + 3 * rows
    }

    deinit { target.deallocate() }

    @_noLocks @_noAllocation
    func clear() { rt_zero(target, 4 &* Taps.rows) }

    @_noLocks @_noAllocation
    func clearTarget(_ bands: BandSet, count: Int) {
        var rest = bands
        while let band = rest.popFirst() {
            rt_zero(target + band &* 64, roundedToLanes(count))
        }
    }

    /// Keeps what is heard now, to fade away from.
    @_noLocks @_noAllocation
    func keep() { rt_copy(left, now, Taps.rows) }

    /// `before` becomes `now`, and `now` the mix of `left` and `target`, for the rows `from..<from + count`.
    @_noLocks @_noAllocation
    func advance(from: Int, count: Int, share: Float) {
        var row = from
        while row < from &+ count {
            let old = left.lanes(row)
            before.setLanes(row, now.lanes(row))
            now.setLanes(row, share < 1 ? old + (target.lanes(row) - old) * share : target.lanes(row))
            row = row &+ laneCount
        }
    }

    /// Bit k is set when row `from + k` is heard at the block's beginning or end.
    @_noLocks @_noAllocation
    func heard(from: Int) -> UInt32 { rt_nonzero16(before.lanes(from), now.lanes(from)) }

    /// Begins with `now`, without a walk.
    @_noLocks @_noAllocation
    func settle(from: Int, count: Int) { rt_copy(before + from, now + from, roundedToLanes(count)) }
}
