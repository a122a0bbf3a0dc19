internal import CRealtime
internal import DSP

/// One side of ``Overdrive``: interpolation, curve, decimation, tone filter.
struct OverdriveSide: ~Copyable, Sendable {
    /// Processing after the curve.
    struct Finish: BitwiseCopyable, Sendable {
        let tone: LowPass.Coefficients
        let blocker: LowPass.Coefficients
        let level: Ramp

        @_noLocks @_noAllocation
        init(tone: LowPass.Coefficients, blocker: LowPass.Coefficients, level: Ramp) {
            self.tone = tone
            self.blocker = blocker
            self.level = level
        }
    }

    /// Input at the lower rate.
    private let input: HistoryRow
    /// Interpolated samples between those of the input, at twice the rate.
    private let between: HistoryRow
    /// Distorted samples at four times the rate.
    private let zero: HistoryRow
    private let one: HistoryRow
    private let two: HistoryRow
    private let three: HistoryRow
    /// Samples at twice the rate after the first decimation.
    private let even: HistoryRow
    private let odd: HistoryRow
    private var tone = LowPass()
    private var blocker = LowPass()
    /// Last quarter sample before the block, not distorted.
    private var last: Float = 0

    init(largestBlock: Int) {
        input = HistoryRow(history: 2 * OversamplingFilter.delay, largestBlock: largestBlock)
        between = HistoryRow(history: 8, largestBlock: largestBlock)
        zero = HistoryRow(history: 8, largestBlock: largestBlock)
        one = HistoryRow(history: 8, largestBlock: largestBlock)
        two = HistoryRow(history: 8, largestBlock: largestBlock)
        three = HistoryRow(history: 8, largestBlock: largestBlock)
        even = HistoryRow(history: 2 * OversamplingFilter.first, largestBlock: largestBlock)
        odd = HistoryRow(history: 2 * OversamplingFilter.first, largestBlock: largestBlock)
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        input.reset()
        between.reset()
        zero.reset()
        one.reset()
        two.reset()
        three.reset()
        even.reset()
        odd.reset()
        tone.reset()
        blocker.reset()
        last = 0
    }

    @_noLocks @_noAllocation
    mutating func process(
        _ samples: UnsafeMutablePointer<Float>, frames: Int, _ filter: borrowing OversamplingFilter, _ shaper: Waveshaper,
        _ finish: Finish
    ) {
        rt_copy(input.block, samples, frames)
        var at = 0
        while at < frames {
            between.block.setLanes(at, filter.between(input.block + at))
            at = at &+ laneCount
        }
        shape(filter, shaper, frames)
        at = 0
        while at < frames {
            let (first, third) = (one.block + at, three.block + at)
            even.block.setLanes(at, zero.block.lanes(at &- 2) + filter.between(third - 1, first - 1))
            odd.block.setLanes(at, two.block.lanes(at &- 2) + filter.between(first, third - 1))
            at = at &+ laneCount
        }
        var (blocker, tone) = (blocker, tone)
        at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let oddSum = filter.between(odd.block + (at &- 1))
            var wet = (even.block.lanes(at &- OversamplingFilter.first) + oddSum) * 0.25
            wet = wet - blocker.lowPass(wet, count: count, finish.blocker)
            if finish.tone.pole > 0 { wet = tone.lowPass(wet, count: count, finish.tone) }
            samples.setLanes(at, wet * finish.level.lanes(at))
            at = at &+ laneCount
        }
        (self.blocker, self.tone) = (blocker, tone)
        input.advance(frames)
        between.advance(frames)
        zero.advance(frames)
        one.advance(frames)
        two.advance(frames)
        three.advance(frames)
        even.advance(frames)
        odd.advance(frames)
    }

    /// Computes all four rows at four times the rate.
    @_noLocks @_noAllocation
    private mutating func shape(_ filter: borrowing OversamplingFilter, _ shaper: Waveshaper, _ frames: Int) {
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let (sample, half) = (input.block + (at &- OversamplingFilter.first), between.block + at)
            let x0 = sample.lanes(-2)
            let x1 = filter.between(sample, half - 1)
            let x2 = half.lanes(-2)
            let x3 = filter.between(half, sample)
            let before = rt_push16(x3, last)
            last = x3[count &- 1]
            zero.block.setLanes(at, shaper.apply(x0, before: before, frame: at))
            one.block.setLanes(at, shaper.apply(x1, before: x0, frame: at))
            two.block.setLanes(at, shaper.apply(x2, before: x1, frame: at))
            three.block.setLanes(at, shaper.apply(x3, before: x2, frame: at))
            at = at &+ laneCount
        }
    }
}
