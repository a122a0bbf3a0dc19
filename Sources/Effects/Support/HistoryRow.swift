internal import CRealtime
internal import DSP

/// A block of samples with those before it in front, for windows that reach back.
struct HistoryRow: ~Copyable, Sendable {
    private let memory: Row
    private let history: Int

    /// - Parameter history: samples kept from before the block.
    init(history: Int, largestBlock: Int) {
        self.history = history
        memory = Row(history + largestBlock + 64)
    }

    /// The oldest sample that is kept.
    var start: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { memory.samples } }
    /// The first sample of the block.
    var block: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { memory.samples + history } }

    @_noLocks @_noAllocation
    func reset() { memory.clear() }

    /// The last of the block becomes what was before.
    @_noLocks @_noAllocation
    func advance(_ frames: Int) { rt_move(start, start + frames, history) }

    /// At each frame the largest of the last `count` samples, a power of two from 4 up to the history.
    ///
    /// By windows that become four times as long in each pass: three passes for 64.
    ///
    /// - Parameter work: two rows to work in, of `count` and the largest block each.
    /// - Returns: where the answer stands, in one of them.
    @_noLocks @_noAllocation
    func largest(
        of count: Int, frames: Int, work: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
    ) -> UnsafeMutablePointer<Float> {
        var from = block - count
        var (to, other) = work
        var (span, first) = (1, 0)
        while span < count {
            let parts = min(4, count / span)
            first = first &+ span &* (parts &- 1)
            var at = first
            while at < count &+ frames {
                var top = rt_max16(from.lanes(at), from.lanes(at &- span))
                if parts == 4 {
                    top = rt_max16(top, rt_max16(from.lanes(at &- 2 &* span), from.lanes(at &- 3 &* span)))
                }
                to.setLanes(at, top)
                at = at &+ laneCount
            }
            span = span &* parts
            from = to
            (to, other) = (other, to)
        }
        return from + count
    }

    /// At each frame the mean of the last `count` samples, a multiple of 16 up to the history.
    ///
    /// By the sums of sixteen samples and of their beginnings: none runs on and drifts.
    ///
    /// - Parameters:
    ///   - sums: a row to work in, of `count` and the largest block.
    ///   - means: a row of the largest block.
    @_noLocks @_noAllocation
    func mean(of count: Int, frames: Int, sums: UnsafeMutablePointer<Float>, into means: UnsafeMutablePointer<Float>) {
        let oldest = block - count
        var at = 0
        while at < count {
            sums.setLanes(at, rt_sums16(oldest.lanes(at)))
            at = at &+ laneCount
        }
        let share = 1 / Float(count)
        at = 0
        while at < frames {
            var whole: Float = 0
            var part = at &+ 15
            while part < at &+ count {
                whole += sums[part]
                part = part &+ laneCount
            }
            let now = rt_sums16(block.lanes(at))
            sums.setLanes(at &+ count, now)
            means.setLanes(at, (now - sums.lanes(at) + whole) * share)
            at = at &+ laneCount
        }
    }
}
