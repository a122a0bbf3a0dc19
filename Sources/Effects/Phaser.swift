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
    /// Rows of 16: for each side the state of each section; ``shares`` and what a frame adds to them; for each side the coefficients
    /// of sixteen frames.
    private let memory = Row(6 * 16)
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
        for pair in 0..<8 {
            (memory.samples[32 &+ pair], memory.samples[48 &+ pair]) = (before[pair], slope[pair])
        }
        let used = used(before)
        let fades: Int32 = slope == SIMD8<Float>.zero && before.max() == 1 ? 0 : 1
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
            var walk = rt_allpass_walk(
                left: coefficients, right: coefficients + 16,
                feedback: feedbacks.from + feedbacks.step * Float(at), feedback_step: feedbacks.step,
                mix: mixes.from + mixes.step * Float(at), mix_step: mixes.step,
                share: memory.samples + 32, share_step: memory.samples + 48, frame: Float(at))
            rt_allpass_chain(memory.samples, left + at, right + at, count, &walk, used, fades)
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

    /// How many pairs of sections have a share.
    @_noLocks @_noAllocation
    private func used(_ before: SIMD8<Float>) -> Int32 {
        var used: Int32 = 1
        for pair in 1..<Self.most / 2 where before[pair] > 0 || shares[pair] > 0 { used = Int32(truncatingIfNeeded: pair &+ 1) }
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
