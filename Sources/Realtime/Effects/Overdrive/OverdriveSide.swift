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
    /// Samples at four times the rate.
    private let quarters: PhaseRows
    /// Samples at twelve times the rate with their gain, and after the curve.
    private let driven: PhaseRows
    private let shaped: PhaseRows
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

    init(largestBlock: Int) {
        input = HistoryRow(history: Overdrive.delay, largestBlock: largestBlock)
        between = HistoryRow(history: 8, largestBlock: largestBlock)
        quarters = PhaseRows(phases: 4, history: 16, largestBlock: largestBlock)
        driven = PhaseRows(phases: Waveshaper.phases, history: 16, largestBlock: largestBlock)
        shaped = PhaseRows(phases: Waveshaper.phases, history: 16, largestBlock: largestBlock)
        zero = HistoryRow(history: 8, largestBlock: largestBlock)
        one = HistoryRow(history: 8, largestBlock: largestBlock)
        two = HistoryRow(history: 8, largestBlock: largestBlock)
        three = HistoryRow(history: 8, largestBlock: largestBlock)
        even = HistoryRow(history: 2 * DecimationFilter.delay, largestBlock: largestBlock)
        odd = HistoryRow(history: 2 * DecimationFilter.delay, largestBlock: largestBlock)
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        input.reset()
        between.reset()
        quarters.reset()
        driven.reset()
        shaped.reset()
        zero.reset()
        one.reset()
        two.reset()
        three.reset()
        even.reset()
        odd.reset()
        tone.reset()
        blocker.reset()
    }

    @_noLocks @_noAllocation
    mutating func process(
        _ samples: UnsafeMutablePointer<Float>, frames: Int, _ filter: borrowing OversamplingFilter,
        _ tripling: borrowing TriplingFilter, _ decimation: borrowing DecimationFilter, _ shaper: Waveshaper, _ finish: Finish
    ) {
        rt_copy(input.block, samples, frames)
        var at = 0
        while at < frames {
            between.block.setLanes(at, filter.between(input.block + at))
            at = at &+ laneCount
        }
        shape(filter, tripling, shaper, frames)
        at = 0
        while at < frames {
            let (first, third) = (one.block + at, three.block + at)
            even.block.setLanes(at, zero.block.lanes(at &- OversamplingFilter.second) + filter.between(third - 1, first - 1))
            odd.block.setLanes(at, two.block.lanes(at &- OversamplingFilter.second) + filter.between(first, third - 1))
            at = at &+ laneCount
        }
        var (blocker, tone) = (blocker, tone)
        at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            var wet = decimation.decimated(even.block + at, odd.block + at) * 0.25
            wet = wet - blocker.lowPass(wet, count: count, finish.blocker)
            if finish.tone.pole > 0 { wet = tone.lowPass(wet, count: count, finish.tone) }
            samples.setLanes(at, wet * finish.level.lanes(at))
            at = at &+ laneCount
        }
        (self.blocker, self.tone) = (blocker, tone)
        input.advance(frames)
        between.advance(frames)
        quarters.advance(frames)
        driven.advance(frames)
        shaped.advance(frames)
        zero.advance(frames)
        one.advance(frames)
        two.advance(frames)
        three.advance(frames)
        even.advance(frames)
        odd.advance(frames)
    }

    /// Computes all four rows at four times the rate, from curves at twelve times the rate.
    @_noLocks @_noAllocation
    private func shape(
        _ filter: borrowing OversamplingFilter, _ tripling: borrowing TriplingFilter, _ shaper: Waveshaper, _ frames: Int
    ) {
        let rows = (zero.block, one.block, two.block, three.block)
        var at = 0
        while at < frames {
            let (sample, half) = (input.block + (at &- OversamplingFilter.first), between.block + at)
            quarters.samples(0, at).setLanes(0, sample.lanes(-OversamplingFilter.second))
            quarters.samples(1, at).setLanes(0, filter.between(sample, half - 1))
            quarters.samples(2, at).setLanes(0, half.lanes(-OversamplingFilter.second))
            quarters.samples(3, at).setLanes(0, filter.between(half, sample))
            let gain = shaper.gain(at)
            let late = at &- TriplingFilter.delay
            for phase in 0..<4 {
                let (one, two) = tripling.thirds(quarters, after: phase, late)
                driven.samples(3 &* phase, at).setLanes(0, quarters.samples(phase, late).lanes(0) * gain)
                driven.samples(3 &* phase &+ 1, at).setLanes(0, one * gain)
                driven.samples(3 &* phase &+ 2, at).setLanes(0, two * gain)
            }
            shaper.apply(driven, shaped, frame: at)
            rows.0.setLanes(at, tripling.filtered(shaped, phase: 0, late))
            rows.1.setLanes(at, tripling.filtered(shaped, phase: 3, late))
            rows.2.setLanes(at, tripling.filtered(shaped, phase: 6, late))
            rows.3.setLanes(at, tripling.filtered(shaped, phase: 9, late))
            at = at &+ laneCount
        }
    }
}
