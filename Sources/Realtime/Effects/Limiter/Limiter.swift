internal import CRealtime
internal import DSP

/// Keeps the true peak below a ceiling for any input, to protect hearing.
///
/// Peaks between samples are found by interpolation to four times the rate and by parabolas. The gain required by a peak is held for as
/// long as the sound is delayed and then averaged over that time, so that the reduction rises smoothly and is complete when the peak
/// arrives. It is held for another ``hold`` before it falls, so that the gain of a low tone does not move from peak to peak, which would
/// distort it. NaN and infinite samples become silence. Always on: there is no bypass. Sound that is too quiet for a peak above the ceiling
/// is only delayed, which takes very little computation.
public struct Limiter: ~Copyable, Sendable {
    public struct Settings: BitwiseCopyable, Sendable, Equatable {
        /// Largest true peak of the output, dBFS.
        public var ceiling: Float
        /// Time constant of falling reduction, milliseconds.
        public var release: Float
        /// Gain before the limiter, dB.
        public var gain: Float

        public init(ceiling: Float, release: Float, gain: Float) {
            self.ceiling = ceiling
            self.release = release
            self.gain = gain
        }
    }

    /// Shortest time for which a reduction stays, seconds: half a period of 40 Hz. It ends within twice that time.
    private static var hold: Float { @_noLocks @_noAllocation get { 0.0125 } }

    private let rate: Float
    private let window: Int
    /// Frames of ``hold``.
    private let span: Int
    private var peaks: PeakFinder
    private let leftAudio: HistoryRow
    private let rightAudio: HistoryRow
    private let wanted: HistoryRow
    private let held: HistoryRow
    private let work: Row
    private let spare: Row
    private var follower = PeakFollower()
    /// Largest reduction of this span and of the previous one.
    private var recent: Float = 0
    private var former: Float = 0
    /// Frames of this span.
    private var elapsed = 0
    private var release = LowPass.Coefficients(pole: 0)
    /// Milliseconds for which the release coefficients were computed.
    private var releaseTime: Float = -1
    /// Frames since the last reduction.
    private var calm = 0
    private var gain = Smoother()
    private var ceiling = Smoother()
    /// Settings in decibels, and as factors.
    private var decibels = SIMD2<Float>(repeating: .nan)
    private var factors = SIMD2<Float>(repeating: 1)
    /// Largest samples of the latest frames and of those before them, together at least ``PeakFinder/reach`` frames, and the number of the
    /// latest frames.
    private var loudest: Float = 0
    private var loudestBefore: Float = 0
    private var counted = 0

    /// Largest gain reduction in the last block in dB, 0 or greater.
    public private(set) var reduction: Float = 0

    public static let measuresReduction = true
    public var latency: Int { @_noLocks @_noAllocation get { window - 1 + PeakFinder.delay } }

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        window = rate <= 56_000 ? 8 : rate <= 112_000 ? 16 : 32
        span = Int(clamping: rate * Self.hold)
        peaks = PeakFinder(largestBlock: largestBlock)
        let history = max(window - 1 + PeakFinder.delay, PeakFinder.reach)
        leftAudio = HistoryRow(history: history, largestBlock: largestBlock)
        rightAudio = HistoryRow(history: history, largestBlock: largestBlock)
        wanted = HistoryRow(history: window, largestBlock: largestBlock)
        held = HistoryRow(history: window, largestBlock: largestBlock)
        work = Row(window + largestBlock + 64)
        spare = Row(window + largestBlock + 64)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { latency }

    @_noLocks @_noAllocation
    public mutating func reset() {
        leftAudio.reset()
        rightAudio.reset()
        wanted.reset()
        held.reset()
        peaks.reset()
        (loudest, loudestBefore, counted) = (0, 0, 0)
        endHold()
        gain.reset()
        ceiling.reset()
        calm = 0
        reduction = 0
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, settings: Settings
    ) {
        if decibels != SIMD2(settings.gain, settings.ceiling) {
            decibels = SIMD2(settings.gain, settings.ceiling)
            factors = SIMD2(rt_exp2(settings.gain * 0.16609640), rt_exp2(settings.ceiling * 0.16609640))
        }
        let gains = Self.ramp(&gain, to: factors[0], frames, rate)
        let limit = Self.ramp(&ceiling, to: factors[1], frames, rate)
        let top = receive(left, right, gains, frames)
        let lowest = min(limit.from, limit.from + limit.step * Float(frames))
        var isOver = false
        if !(max(top, max(loudest, loudestBefore)) * peaks.most <= lowest) {
            isOver = peaks.find(leftAudio.block, rightAudio.block, frames: frames, ceiling: lowest)
        } else {
            peaks.reset()
        }
        noteLoudest(top, frames)
        if isOver || calm < 2 * window {
            smooth(limit, isOver: isOver, frames: frames, release: settings.release)
            apply(left, right, frames)
        } else {
            endHold()
            rt_copy(left, leftAudio.block - latency, frames)
            rt_copy(right, rightAudio.block - latency, frames)
            reduction = 0
        }
        leftAudio.advance(frames)
        rightAudio.advance(frames)
    }

    @_noLocks @_noAllocation @inline(__always)
    private static func ramp(_ smoother: inout Smoother, to target: Float, _ frames: Int, _ rate: Float) -> Ramp {
        if smoother.value == target { return Ramp(from: target, step: 0) }
        return smoother.ramp(to: target, share: Smoother.share(frames: frames, rate: rate), frames: frames)
    }

    /// Writes the block after the earlier ones; returns an upper bound of its largest sample.
    @_noLocks @_noAllocation
    private func receive(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ gains: Ramp, _ frames: Int
    ) -> Float {
        let (ownLeft, ownRight) = (leftAudio.block, rightAudio.block)
        var top = Lanes.zero
        var at = 0
        if gains.isOne {
            while at < frames {
                let (x, y) = (rt_finite16(left.lanes(at)), rt_finite16(right.lanes(at)))
                ownLeft.setLanes(at, x)
                ownRight.setLanes(at, y)
                top = rt_max16(top, rt_max16(rt_abs16(x), rt_abs16(y)))
                at = at &+ laneCount
            }
        } else {
            while at < frames {
                let g = gains.lanes(at)
                let (x, y) = (rt_finite16(left.lanes(at) * g), rt_finite16(right.lanes(at) * g))
                ownLeft.setLanes(at, x)
                ownRight.setLanes(at, y)
                top = rt_max16(top, rt_max16(rt_abs16(x), rt_abs16(y)))
                at = at &+ laneCount
            }
        }
        return rt_largest16(top)
    }

    @_noLocks @_noAllocation
    private mutating func noteLoudest(_ top: Float, _ frames: Int) {
        loudest = max(loudest, top)
        counted = counted &+ frames
        guard counted >= PeakFinder.reach else { return }
        (loudestBefore, loudest, counted) = (loudest, 0, 0)
    }

    /// Computes the reduction at each frame into `spare`: 0 is none, 1 is complete.
    @_noLocks @_noAllocation
    private mutating func smooth(_ limit: Ramp, isOver: Bool, frames: Int, release: Float) {
        if releaseTime != release { self.release = .init(seconds: release / 1000, rate: rate) }
        releaseTime = release
        if isOver {
            var at = 0
            while at < frames {
                wanted.block.setLanes(at, 1 - limit.lanes(at) / rt_max16(peaks.row.lanes(at), limit.lanes(at)))
                at = at &+ laneCount
            }
        } else {
            rt_zero(wanted.block, frames)
        }
        let largest = wanted.largest(of: window, frames: frames, work: (work.samples, spare.samples))
        let pole = self.release
        let least = rt_all16(1e-7)
        var most = Lanes.zero
        var follower = follower
        var at = 0
        while at < frames {
            let count = min(min(laneCount, frames &- at), span &- elapsed)
            let now = largest.lanes(at)
            let kept = follower.follow(rt_max16(now, rt_all16(max(recent, former))), count: count, pole)
            let heard = rt_select_less16(kept, least, .zero, kept)
            most = rt_max16(most, heard)
            held.block.setLanes(at, heard)
            note(now, count)
            at = at &+ count
        }
        self.follower = follower
        calm = rt_largest16(most) == 0 ? calm &+ frames : 0
        wanted.advance(frames)
        held.mean(of: window, frames: frames, into: spare.samples)
        held.advance(frames)
    }

    /// Keeps the largest of some reductions for the hold time.
    @_noLocks @_noAllocation @inline(__always)
    private mutating func note(_ reductions: Lanes, _ count: Int) {
        if count == laneCount {
            recent = max(recent, rt_largest16(reductions))
        } else {
            for i in 0..<count { recent = max(recent, reductions[i]) }
        }
        elapsed = elapsed &+ count
        guard elapsed == span else { return }
        (former, recent, elapsed) = (recent, 0, 0)
    }

    @_noLocks @_noAllocation
    private mutating func endHold() {
        follower.reset()
        (recent, former, elapsed) = (0, 0, 0)
    }

    @_noLocks @_noAllocation
    private mutating func apply(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int) {
        let (ownLeft, ownRight) = (leftAudio.block - latency, rightAudio.block - latency)
        var most = Lanes.zero
        var at = 0
        rt_zero(spare.samples + frames, laneCount)
        while at < frames {
            let taken = spare.samples.lanes(at)
            most = rt_max16(most, taken)
            left.setLanes(at, ownLeft.lanes(at) * (1 - taken))
            right.setLanes(at, ownRight.lanes(at) * (1 - taken))
            at = at &+ laneCount
        }
        reduction = -20 * rt_log10(max(1e-6, 1 - rt_largest16(most)))
    }
}
