internal import CRealtime
internal import DSP

/// Reduces the gain of loud sound, equally on both sides.
///
/// Feed-forward; attack and release work on the decibels of gain reduction. Rising reduction follows the attack alone, falling
/// reduction the release alone (the smooth branching detector of Giannoulis, Massberg and Reiss, "Digital Dynamic Range
/// Compressor Design", JAES 2012, as the smaller of two recursions).
/// No latency, no tail.
public struct Compressor: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Level above which the gain is reduced, dBFS.
        public var threshold: Float
        /// Change of the input level in dB for 1 dB at the output.
        public var ratio: Float
        /// Width of the transition around the threshold, dB.
        public var knee: Float
        /// Time constant of rising reduction, milliseconds.
        public var attack: Float
        /// Time constant of falling reduction, milliseconds.
        public var release: Float
        /// Output gain, dB.
        public var makeUp: Float
        /// Cutoff frequency of the high-pass filter before the detector, Hz, 12 dB per octave; off at 20 Hz.
        public var sideChain: Float
    }

    private let rate: Float
    /// Decimal logarithms of milliseconds.
    private var attackTime = Smoother()
    private var releaseTime = Smoother()
    private var attack = LowPass.Coefficients(pole: 0)
    private var release = LowPass.Coefficients(pole: 0)
    private var highPass = LowPass.Coefficients(pole: 0)
    /// Decimal logarithm of the side chain's cutoff frequency in Hz.
    private var cutoff = Smoother()
    private var isFiltered = false
    private var left = (LowPass(), LowPass())
    private var right = (LowPass(), LowPass())
    private var follower = PeakFollower()
    /// Gain reduction at the last frame, in every lane, dB.
    private var last = Lanes.zero
    private var makeUp = Smoother()
    private var threshold = Smoother()
    private var slope = Smoother()
    private var halfKnee = Smoother()

    /// Largest gain reduction in the last block in dB, 0 or greater, for meters.
    public private(set) var reduction: Float = 0

    public static let measuresReduction = true
    public let latency = 0

    public init(rate: Float, largestBlock: Int) { self.rate = rate }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { 0 }

    @_noLocks @_noAllocation
    public mutating func reset() {
        left = (LowPass(), LowPass())
        right = (LowPass(), LowPass())
        follower.reset()
        last = .zero
        makeUp.reset()
        threshold.reset()
        slope.reset()
        halfKnee.reset()
        cutoff.reset()
        attackTime.reset()
        releaseTime.reset()
        reduction = 0
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        set(settings, share: share)
        var threshold = RampLanes(threshold.ramp(to: settings.threshold, share: share, frames: frames))
        var slope = RampLanes(slope.ramp(to: 1 - 1 / max(1, settings.ratio), share: share, frames: frames))
        let halfKnees = halfKnee.ramp(to: max(0.005, settings.knee / 2), share: share, frames: frames)
        var halfKnee = RampLanes(halfKnees)
        var bend = rt_all16(0.25) / halfKnee.now
        var makeUp = RampLanes(makeUp.ramp(to: settings.makeUp, share: share, frames: frames))
        let (attack, release) = (attack, release)
        var (follower, last) = (follower, last)
        // Converts powers of two to decibels, and back.
        let (decibels, octaves) = (rt_all16(6.0205999), rt_all16(0.16609640))
        var most = Lanes.zero
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let xLeft = leftSamples.lanes(at)
            let xRight = rightSamples.lanes(at)
            let level = isFiltered ? filteredLevel(xLeft, xRight, count) : rt_max16(rt_abs16(xLeft), rt_abs16(xRight))
            let over = rt_fma16(rt_log2_16(level), decibels, -threshold.now)
            let half = halfKnee.now
            let inKnee = rt_min16(rt_max16(over + half, .zero), half + half)
            let wanted = slope.now * rt_fma16(inKnee * inKnee, bend, rt_max16(over - half, .zero))
            let held = follower.follow(wanted, count: count, release)
            let now = rt_min16(held, attack.run(held, after: last))
            last = count == laneCount ? rt_last16(now) : rt_all16(now[count &- 1])
            let gain = rt_exp2_16((makeUp.now - now) * octaves)
            most = rt_max16(most, now)
            leftSamples.setLanes(at, xLeft * gain)
            rightSamples.setLanes(at, xRight * gain)
            makeUp.next()
            threshold.next()
            slope.next()
            if !halfKnees.isConstant {
                halfKnee.next()
                bend = rt_all16(0.25) / halfKnee.now
            }
            at = at &+ count
        }
        (self.follower, self.last) = (follower, last)
        reduction = rt_largest16(most)
    }

    @_noLocks @_noAllocation
    private mutating func set(_ new: Settings, share: Float) {
        // Times change by equal ratios: a detector far behind must not be released at once.
        let times = (attackTime.value, releaseTime.value)
        attackTime.advance(to: rt_log10(new.attack), share: share)
        if attackTime.value != times.0 { attack = .init(seconds: 0.001 * Self.power(attackTime.value), rate: rate) }
        releaseTime.advance(to: rt_log10(new.release), share: share)
        if releaseTime.value != times.1 { release = .init(seconds: 0.001 * Self.power(releaseTime.value), rate: rate) }
        // To switch the filter off, it is first moved below the audible range.
        let before = cutoff.value
        let now = cutoff.advance(to: new.sideChain > 20.5 ? rt_log10(new.sideChain) : -0.3, share: share)
        guard now != before else { return }
        isFiltered = now > -0.3
        if !isFiltered {
            left = (LowPass(), LowPass())
            right = (LowPass(), LowPass())
        }
        // Two equal sections lose 3 dB together where each loses 1.5 dB.
        highPass = .init(cutoff: Self.power(now) * 0.6436, rate: rate)
    }

    @_noLocks @_noAllocation
    private static func power(_ ofTen: Float) -> Float { rt_exp2(ofTen * 3.3219281) }

    @_noLocks @_noAllocation
    private mutating func filteredLevel(_ xLeft: Lanes, _ xRight: Lanes, _ count: Int) -> Lanes {
        let onceLeft = xLeft - left.0.lowPass(xLeft, count: count, highPass)
        let onceRight = xRight - right.0.lowPass(xRight, count: count, highPass)
        let twiceLeft = onceLeft - left.1.lowPass(onceLeft, count: count, highPass)
        let twiceRight = onceRight - right.1.lowPass(onceRight, count: count, highPass)
        return rt_max16(rt_abs16(twiceLeft), rt_abs16(twiceRight))
    }
}
