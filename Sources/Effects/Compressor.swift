internal import CRealtime
internal import DSP

/// Makes loud sound less loud, both sides alike.
///
/// Feed-forward; attack and release work on the decibels of gain reduction, release before attack (the smooth
/// decoupled peak detector of Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor Design", JAES 2012).
/// No latency, no tail.
public struct Compressor: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Decibels below full scale, -60 to 0.
        public var threshold: Float = -20
        /// Decibels in for a decibel out above the threshold, 1 to 20.
        public var ratio: Float = 3
        /// Decibels about the threshold over which the slope changes, 0 to 24.
        public var knee: Float = 6
        /// Milliseconds in which 63 % of a reduction is reached, 0.1 to 200.
        public var attack: Float = 10
        /// Milliseconds in which 63 % of a reduction is gone, 10 to 2000.
        public var release: Float = 150
        /// Decibels added to the output, 0 to 24.
        public var makeUp: Float = 0
        /// Hertz below which the detector hears less, 12 dB per octave, 20 to 500; at 20 it hears everything.
        public var sideChain: Float = 20

        public init() {}
    }

    private let rate: Float
    private var settings = Settings()
    private var attack = OnePole.Coefficients(pole: 0)
    private var release = OnePole.Coefficients(pole: 0)
    private var highPass = OnePole.Coefficients(pole: 0)
    private var isFiltered = false
    private var isFresh = true
    private var left = (OnePole(), OnePole())
    private var right = (OnePole(), OnePole())
    private var follower = Follower()
    private var smoother = OnePole()
    private var makeUp = Glide()
    private var threshold = Glide()
    private var slope = Glide()
    private var knee = Glide()

    /// The largest reduction in the last block, decibels, 0 or more: what a meter shows.
    public private(set) var reduction: Float = 0

    public let latency = 0

    public init(rate: Float, largestBlock: Int) { self.rate = rate }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { 0 }

    @_noLocks @_noAllocation
    public mutating func reset() {
        left = (OnePole(), OnePole())
        right = (OnePole(), OnePole())
        follower.reset()
        smoother.reset()
        makeUp.reset()
        threshold.reset()
        slope.reset()
        knee.reset()
        reduction = 0
        isFresh = true
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        set(settings)
        let share = Glide.share(frames: frames, rate: rate)
        let threshold = rt_all16(threshold.advance(to: settings.threshold, share: share))
        let slope = rt_all16(slope.advance(to: 1 - 1 / max(1, settings.ratio), share: share))
        let knee = max(0.01, knee.advance(to: settings.knee, share: share))
        let halfKnee = rt_all16(knee / 2)
        let bend = rt_all16(0.5 / knee)
        let makeUps = makeUp.walk(to: settings.makeUp, share: share, frames: frames)
        var makeUp = WalkLanes(makeUps)
        let (attack, release) = (attack, release)
        var (follower, smoother) = (follower, smoother)
        // Decibels of a power of two, and back.
        let (decibels, octaves) = (rt_all16(6.0205999), rt_all16(0.16609640))
        var most = Lanes.zero
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let xLeft = leftSamples.lanes(at)
            let xRight = rightSamples.lanes(at)
            let level = isFiltered ? filteredLevel(xLeft, xRight, count) : rt_max16(rt_abs16(xLeft), rt_abs16(xRight))
            let over = rt_fma16(rt_log2_16(level), decibels, -threshold)
            let inKnee = rt_min16(rt_max16(over + halfKnee, .zero), halfKnee + halfKnee)
            let wanted = slope * rt_fma16(inKnee * inKnee, bend, rt_max16(over - halfKnee, .zero))
            let held = follower.follow(wanted, count: count, release)
            let now = smoother.lowPass(held, count: count, attack)
            let gain = rt_exp2_16((makeUp.now - now) * octaves)
            most = rt_max16(most, now)
            leftSamples.setLanes(at, xLeft * gain)
            rightSamples.setLanes(at, xRight * gain)
            makeUp.next()
            at = at &+ count
        }
        (self.follower, self.smoother) = (follower, smoother)
        reduction = rt_largest16(most)
    }

    @_noLocks @_noAllocation
    private mutating func set(_ new: Settings) {
        if isFresh || new.attack != settings.attack { attack = .init(seconds: new.attack / 1000, rate: rate) }
        if isFresh || new.release != settings.release { release = .init(seconds: new.release / 1000, rate: rate) }
        if isFresh || new.sideChain != settings.sideChain {
            // Two equal sections lose 3 dB together where each loses 1.5.
            highPass = .init(cutoff: new.sideChain * 0.6436, rate: rate)
            isFiltered = new.sideChain > 20.5
        }
        settings = new
        isFresh = false
    }

    @_noLocks @_noAllocation
    private mutating func filteredLevel(_ xLeft: Lanes, _ xRight: Lanes, _ count: Int) -> Lanes {
        let onceLeft = xLeft - left.0.lowPass(xLeft, count: count, highPass)
        let onceRight = xRight - right.0.lowPass(xRight, count: count, highPass)
        let twiceLeft = onceLeft - left.1.lowPass(onceLeft, count: count, highPass)
        let twiceRight = onceRight - right.1.lowPass(onceRight, count: count, highPass)
        return rt_max16(rt_abs16(twiceLeft), rt_abs16(twiceRight))
    }
}
