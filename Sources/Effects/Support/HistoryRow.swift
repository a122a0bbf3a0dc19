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

    /// At each frame the largest of the last `count` samples, a power of two up to the history, into `work`.
    ///
    /// By doubling the window: six passes for 64.
    @_noLocks @_noAllocation
    func largest(of count: Int, frames: Int, work: UnsafeMutablePointer<Float>) {
        double(count, frames, work) { rt_max16($0, $1) }
    }

    /// At each frame the mean of the last `count` samples, as ``largest(of:frames:work:)``: no sum runs on and drifts.
    @_noLocks @_noAllocation
    func mean(of count: Int, frames: Int, work: UnsafeMutablePointer<Float>) {
        double(count, frames, work) { ($0 + $1) * 0.5 }
    }

    @_noLocks @_noAllocation @inline(__always)
    private func double(
        _ count: Int, _ frames: Int, _ work: UnsafeMutablePointer<Float>, _ join: (Lanes, Lanes) -> Lanes
    ) {
        let total = count &+ frames
        rt_copy(work, block - count, total)
        var span = 1
        while span < count {
            // From the end, so that what is read has not been joined yet.
            var at = (total &- 1) & ~15
            while at >= 16 {
                work.setLanes(at, join(work.lanes(at), work.lanes(at &- span)))
                at = at &- laneCount
            }
            var i = min(15, total &- 1)
            let first = work.lanes(0)
            var low = first
            while i >= span {
                low[i] = join(rt_all16(first[i]), rt_all16(first[i &- span]))[0]
                i = i &- 1
            }
            work.setLanes(0, low)
            span = span &* 2
        }
        rt_move(work, work + count, frames)
    }
}
