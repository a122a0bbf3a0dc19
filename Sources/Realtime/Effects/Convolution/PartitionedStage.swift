internal import CRealtime
internal import DSP

/// Convolution with equal partitions of a response, by overlap-save.
struct PartitionedStage: ~Copyable, Sendable {
    private let part: Int
    private let count: Int
    private let transform: FourierTransform
    private let stride: Int
    private let owner: PartSpectra
    // SAFETY: rows of `owner`, which are never changed.
    private nonisolated(unsafe) let response: UnsafeMutablePointer<Float>
    /// Spectra of the last inputs, the newest at `newest`.
    private let inputs: Row
    private var newest = 0
    /// The last two partitions of input.
    private let time: Row
    private let sum: Row
    private let result: Row

    init(_ spectra: PartSpectra) {
        owner = spectra
        response = spectra.rows.samples
        part = spectra.part
        count = spectra.count
        transform = FourierTransform(count: 2 * part)
        stride = transform.stride
        inputs = Row(stride * count)
        time = Row(2 * part)
        sum = Row(stride)
        result = Row(2 * part)
    }

    /// Output of this stage for the current partition.
    var output: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { result.samples + part } }

    @_noLocks @_noAllocation
    mutating func reset() {
        inputs.clear()
        time.clear()
        sum.clear()
        result.clear()
        newest = 0
    }

    @_noLocks @_noAllocation
    func take(_ samples: UnsafePointer<Float>, _ frames: Int, at place: Int) {
        rt_copy(time.samples + (part &+ place), samples, frames)
    }

    /// Transforms a completed partition of input.
    @_noLocks @_noAllocation
    mutating func transformInput() {
        guard count > 0 else { return }
        newest = newest == 0 ? count &- 1 : newest &- 1
        transform.forward(time.samples, into: inputs.samples + newest &* stride)
        rt_copy(time.samples, time.samples + part, part)
        rt_zero(sum.samples, stride)
    }

    /// Accumulates the products of one slice of the partitions, `turn` of `turns`.
    @_noLocks @_noAllocation
    func multiply(_ turn: Int, _ turns: Int) {
        for i in count &* turn / turns..<count &* (turn &+ 1) / turns {
            let place = newest &+ i
            let input = inputs.samples + (place < count ? place : place &- count) &* stride
            let filter = response + 2 &* stride &* i
            var at = 0
            while at < stride {
                let x = input.lanes(at)
                let straight = rt_fma16(x, filter.lanes(at), sum.samples.lanes(at))
                sum.samples.setLanes(at, rt_fma16(rt_swap16(x), filter.lanes(stride &+ at), straight))
                at = at &+ laneCount
            }
        }
    }

    /// Transforms the sum to the output of the next partition.
    @_noLocks @_noAllocation
    func transformOutput() {
        guard count > 0 else { return }
        transform.inverse(sum.samples, into: result.samples)
    }
}
