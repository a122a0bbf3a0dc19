internal import CRealtime
internal import DSP

/// One side of ``Overdrive``: up, bent, down, toned.
struct OverdriveSide: ~Copyable, Sendable {
    /// What comes after the curve.
    struct Finish: BitwiseCopyable, Sendable {
        let tone: OnePole.Coefficients
        let blocker: OnePole.Coefficients
        let level: Walk
        let mix: Walk

        @_noLocks @_noAllocation
        init(tone: OnePole.Coefficients, blocker: OnePole.Coefficients, level: Walk, mix: Walk) {
            self.tone = tone
            self.blocker = blocker
            self.level = level
            self.mix = mix
        }
    }

    private let input: HistoryRow
    private let zero: HistoryRow
    private let one: HistoryRow
    private let two: HistoryRow
    private let three: HistoryRow
    private var tone = OnePole()
    private var blocker = OnePole()
    /// The last quarter before the block, not bent.
    private var last: Float = 0

    init(largestBlock: Int) {
        let history = 2 * OversamplingFilter.taps
        input = HistoryRow(history: history, largestBlock: largestBlock)
        zero = HistoryRow(history: history, largestBlock: largestBlock)
        one = HistoryRow(history: history, largestBlock: largestBlock)
        two = HistoryRow(history: history, largestBlock: largestBlock)
        three = HistoryRow(history: history, largestBlock: largestBlock)
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        input.reset()
        zero.reset()
        one.reset()
        two.reset()
        three.reset()
        tone.reset()
        blocker.reset()
        last = 0
    }

    @_noLocks @_noAllocation
    mutating func process(
        _ samples: UnsafeMutablePointer<Float>, frames: Int, _ filter: borrowing OversamplingFilter, _ bend: Bend,
        _ finish: Finish
    ) {
        rt_copy(input.block, samples, frames)
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let x0 = (input.block + at).lanes(-OversamplingFilter.delay)
            let (x1, x2, x3) = filter.up(input.block + at)
            let before = rt_push16(x3, last)
            last = x3[count &- 1]
            zero.block.setLanes(at, bend.apply(x0, before: before, frame: at))
            one.block.setLanes(at, bend.apply(x1, before: x0, frame: at))
            two.block.setLanes(at, bend.apply(x2, before: x1, frame: at))
            three.block.setLanes(at, bend.apply(x3, before: x2, frame: at))
            at = at &+ laneCount
        }
        at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            var wet = filter.down(zero.block + at, one.block + at, two.block + at, three.block + at)
            wet = wet - blocker.lowPass(wet, count: count, finish.blocker)
            if finish.tone.pole > 0 { wet = tone.lowPass(wet, count: count, finish.tone) }
            wet = wet * finish.level.lanes(at)
            let dry = (input.block + at).lanes(-2 * OversamplingFilter.delay)
            samples.setLanes(at, rt_fma16(finish.mix.lanes(at), wet - dry, dry))
            at = at &+ laneCount
        }
        input.advance(frames)
        zero.advance(frames)
        one.advance(frames)
        two.advance(frames)
        three.advance(frames)
    }
}
