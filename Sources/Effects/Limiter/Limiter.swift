internal import CRealtime
internal import DSP

/// Keeps the true peak under a ceiling, whatever comes: hearing protection.
///
/// Peaks between samples are found by interpolating four times, and by parabolas between. The gain that a peak asks for is held for as long
/// as the sound is delayed and then averaged over that time, so that it is there, without an edge, when the peak
/// is. Not-a-number and infinite samples are silenced. Always on: there is no bypass inside.
public struct Limiter: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Decibels below full scale that no peak exceeds, -24 to 0.
        public var ceiling: Float = -1
        /// Milliseconds in which 63 % of a reduction is gone, 10 to 2000.
        public var release: Float = 100
        /// Decibels before the limit, 0 to 24.
        public var gain: Float = 0

        public init() {}
    }

    private let rate: Float
    private let window: Int
    private let peaks: PeakFinder
    private let leftAudio: HistoryRow
    private let rightAudio: HistoryRow
    private let wanted: HistoryRow
    private let once: HistoryRow
    private let twice: HistoryRow
    private let work: Row
    private var follower = Follower()
    private var gain = Glide()
    private var ceiling = Glide()

    /// The largest reduction in the last block, decibels, 0 or more.
    public private(set) var reduction: Float = 0

    public var latency: Int { @_noLocks @_noAllocation get { window - 1 + PeakFinder.delay } }

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        window = rate <= 56_000 ? 64 : rate <= 112_000 ? 128 : 256
        peaks = PeakFinder(largestBlock: largestBlock)
        let delay = window - 1 + PeakFinder.delay
        leftAudio = HistoryRow(history: delay, largestBlock: largestBlock)
        rightAudio = HistoryRow(history: delay, largestBlock: largestBlock)
        wanted = HistoryRow(history: window, largestBlock: largestBlock)
        once = HistoryRow(history: window / 2, largestBlock: largestBlock)
        twice = HistoryRow(history: window / 2, largestBlock: largestBlock)
        work = Row(window + largestBlock + 64)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { latency }

    @_noLocks @_noAllocation
    public mutating func reset() {
        peaks.reset()
        leftAudio.reset()
        rightAudio.reset()
        wanted.reset()
        once.reset()
        twice.reset()
        follower.reset()
        gain.reset()
        ceiling.reset()
        reduction = 0
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, settings: Settings
    ) {
        let share = Glide.share(frames: frames, rate: rate)
        let gains = gain.walk(to: rt_exp2(settings.gain * 0.16609640), share: share, frames: frames)
        let limit = ceiling.walk(to: rt_exp2(settings.ceiling * 0.16609640), share: share, frames: frames)
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let g = gains.lanes(at)
            left.setLanes(at, rt_finite16(left.lanes(at)) * g, count: count)
            right.setLanes(at, rt_finite16(right.lanes(at)) * g, count: count)
            at = at &+ count
        }
        peaks.find(left, right, frames: frames, ceiling: min(limit.from, limit.from + limit.step * Float(frames)))
        at = 0
        while at < frames {
            // What has to be taken away: 0 is nothing, 1 is all.
            let need = 1 - limit.lanes(at) / rt_max16(peaks.row.lanes(at), limit.lanes(at))
            wanted.block.setLanes(at, need)
            at = at &+ laneCount
        }
        wanted.largest(of: window, frames: frames, work: work.samples)
        let pole = OnePole.Coefficients(seconds: settings.release / 1000, rate: rate)
        at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            once.block.setLanes(at, follower.follow(work.samples.lanes(at), count: count, pole))
            at = at &+ laneCount
        }
        wanted.advance(frames)
        once.mean(of: window / 2, frames: frames, work: work.samples)
        rt_copy(twice.block, work.samples, frames)
        once.advance(frames)
        twice.mean(of: window / 2, frames: frames, work: work.samples)
        twice.advance(frames)
        rt_copy(leftAudio.block, left, frames)
        rt_copy(rightAudio.block, right, frames)
        apply(left, right, frames)
        leftAudio.advance(frames)
        rightAudio.advance(frames)
    }

    @_noLocks @_noAllocation
    private mutating func apply(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int) {
        var most = Lanes.zero
        var at = 0
        rt_zero(work.samples + frames, laneCount)
        while at < frames {
            let taken = work.samples.lanes(at)
            most = rt_max16(most, taken)
            left.setLanes(at, leftAudio.start.lanes(at) * (1 - taken))
            right.setLanes(at, rightAudio.start.lanes(at) * (1 - taken))
            at = at &+ laneCount
        }
        reduction = -20 * rt_log10(max(1e-6, 1 - rt_largest16(most)))
    }
}
