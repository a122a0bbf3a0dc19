internal import CRealtime
internal import DSP

/// A chain of allpass filters that sweeps, added to the sound: notches that are not harmonic.
///
/// First-order sections; feedback goes round without a sample of delay, solved for in every frame, so that
/// notches and peaks are where the analogue circuit has them. No latency.
public struct Phaser: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// How many allpass sections, 2 to 12; two make a notch.
        public var stages: Float = 6
        /// Hertz, 0.05 to 5.
        public var rate: Float = 0.4
        /// Hertz where a section turns the phase by 90 degrees in the middle of the sweep, 100 to 5000.
        public var frequency: Float = 800
        /// Octaves that the sweep goes up and down, 0 to 3.
        public var depth: Float = 1.5
        /// Share of the chain's output that is fed back, -0.9 to 0.9.
        public var feedback: Float = 0.3
        /// Degrees by which the right side is ahead, 0 to 180.
        public var phase: Float = 60
        /// Share of the chain in what is heard, 0 to 1; notches are deepest at 0.5.
        public var mix: Float = 0.5

        public init() {}
    }

    private static var most: Int { @_noLocks @_noAllocation get { 12 } }

    private let rate: Float
    /// A row of 16 per side: the state of each section; two rows to work in; both sides' coefficients of sixteen frames.
    private let memory = Row(4 * 16 + 32)
    private var oscillator = Oscillator()
    private var speed = Glide()
    private var octave = Glide()
    private var depth = Glide()
    private var feedback = Glide()
    private var phase = Glide()
    private var mix = Glide()
    /// Share of the chain's output after an even number of sections; -1 first of all at the beginning.
    private var shares = SIMD8<Float>(repeating: -1)

    public let latency = 0

    public init(rate: Float, largestBlock: Int) { self.rate = rate }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { Int(rate * 0.05) }

    @_noLocks @_noAllocation
    public mutating func reset() {
        memory.clear()
        oscillator.reset()
        speed.reset()
        octave.reset()
        depth.reset()
        feedback.reset()
        phase.reset()
        mix.reset()
        shares[0] = -1
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, settings: Settings
    ) {
        let share = Glide.share(frames: frames, rate: rate)
        let step = Oscillator.step(speed.advance(to: settings.rate, share: share), rate: rate)
        let octaves = octave.walk(to: 3.321928 * rt_log10(settings.frequency), share: share, frames: frames)
        let depths = depth.walk(to: settings.depth, share: share, frames: frames)
        let feedbacks = feedback.walk(to: settings.feedback, share: share, frames: frames)
        let phases = phase.walk(to: settings.phase / 360, share: share, frames: frames)
        let mixes = mix.walk(to: settings.mix, share: share, frames: frames)
        let before = walkShares(settings.stages, share: share)
        let slope = (shares - before) / Float(frames)
        let used = used(before)
        let coefficients = memory.samples + 64
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let turns = oscillator.turns(step: step)
            let middle = octaves.lanes(at)
            let swing = depths.lanes(at)
            coefficients.setLanes(0, allpass(rt_fma16(swing, rt_sine16(turns), middle)))
            let ahead = rt_sine16(rt_fold16(turns + phases.lanes(at)))
            coefficients.setLanes(16, allpass(rt_fma16(swing, ahead, middle)))
            for i in 0..<count {
                let n = at &+ i
                let g = feedbacks.from + feedbacks.step * Float(n &+ 1)
                let m = mixes.from + mixes.step * Float(n &+ 1)
                let weights = before + slope * Float(n &+ 1)
                let wetLeft = chain(left[n], coefficients[i], g, weights, used, side: 0)
                let wetRight = chain(right[n], coefficients[16 &+ i], g, weights, used, side: 1)
                left[n] += m * (wetLeft - left[n])
                right[n] += m * (wetRight - right[n])
            }
            oscillator.advance(count, step: step)
            at = at &+ count
        }
    }

    /// The coefficient of a section that turns by 90 degrees at 2^octave hertz.
    @_noLocks @_noAllocation @inline(__always)
    private func allpass(_ octave: Lanes) -> Lanes {
        let turns = rt_min16(rt_exp2_16(octave) * (0.5 / rate), rt_all16(0.24))
        let sine = rt_sine16(turns)
        let cosine = rt_sine16(turns + 0.25)
        return (sine - cosine) / (sine + cosine)
    }

    /// One frame of one side: y = c x + s, then s = x - c y, section by section.
    ///
    /// Output without and with input are chained apart, the loop is solved, and only then are states moved on.
    @_noLocks @_noAllocation @inline(__always)
    private func chain(
        _ x: Float, _ c: Float, _ g: Float, _ weights: SIMD8<Float>, _ used: Int, side: Int
    ) -> Float {
        let states = memory.samples + 16 &* side
        let (owns, powers) = (memory.samples + 32, memory.samples + 48)
        var own: Float = 0
        var through: Float = 1
        var ownSum: Float = 0
        var throughSum: Float = 0
        for pair in 0..<used {
            own = c * own + states[2 &* pair]
            through *= c
            (owns[2 &* pair], powers[2 &* pair]) = (own, through)
            own = c * own + states[2 &* pair &+ 1]
            through *= c
            (owns[2 &* pair &+ 1], powers[2 &* pair &+ 1]) = (own, through)
            ownSum += weights[pair] * own
            throughSum += weights[pair] * through
        }
        let u = (x + g * ownSum) / (1 - g * throughSum)
        var before = u
        for stage in 0..<2 &* used {
            let y = owns[stage] + powers[stage] * u
            states[stage] = before - c * y
            before = y
        }
        return ownSum + throughSum * u
    }

    /// How many pairs of sections have a share.
    @_noLocks @_noAllocation
    private func used(_ before: SIMD8<Float>) -> Int {
        var used = 1
        for pair in 1..<Self.most / 2 where before[pair] > 0 || shares[pair] > 0 { used = pair &+ 1 }
        return used
    }

    /// Another number of sections is faded to. Returns the shares before this block.
    @_noLocks @_noAllocation
    private mutating func walkShares(_ stages: Float, share: Float) -> SIMD8<Float> {
        let last = max(0, min(5, Int((stages + 0.5) / 2) &- 1))
        let isFresh = shares[0] < 0
        let before = shares
        for pair in 0..<8 {
            let target: Float = pair == last ? 1 : 0
            let rest = target - shares[pair]
            shares[pair] = isFresh || abs(rest) < 1e-4 ? target : shares[pair] + rest * share
        }
        return isFresh ? shares : before
    }
}
