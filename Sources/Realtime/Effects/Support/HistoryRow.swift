internal import CRealtime
internal import DSP

/// A block of samples preceded by earlier ones, for windows that extend into the past.
struct HistoryRow: ~Copyable, Sendable {
    private let memory: Row
    private let history: Int

    /// - Parameter history: samples kept from before the block.
    init(history: Int, largestBlock: Int) {
        self.history = history
        memory = Row(history + largestBlock + 64)
    }

    /// The oldest sample in memory.
    var start: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { memory.samples } }
    /// The first sample of the block.
    var block: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { memory.samples + history } }

    @_noLocks @_noAllocation
    func reset() { memory.clear() }

    /// Moves the end of the block to the history.
    @_noLocks @_noAllocation
    func advance(_ frames: Int) { rt_move(start, start + frames, history) }

    /// Computes at each frame the largest of the last `count` samples, a power of two from 4 up to the history.
    ///
    /// Each pass makes the windows four times as long: three passes for 64.
    ///
    /// - Parameter work: two working rows, of `count` and of the largest block.
    /// - Returns: the result, in one of them.
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

    /// Computes at each frame the mean of the last `count` samples, up to one more than the history.
    ///
    /// Sums the samples anew at each frame, because a running sum would drift.
    @_noLocks @_noAllocation
    func mean(of count: Int, frames: Int, into means: UnsafeMutablePointer<Float>) {
        let share = 1 / Float(count)
        var at = 0
        while at < frames {
            var sum = block.lanes(at)
            for back in 1..<count { sum += block.lanes(at &- back) }
            means.setLanes(at, sum * share)
            at = at &+ laneCount
        }
    }
}
