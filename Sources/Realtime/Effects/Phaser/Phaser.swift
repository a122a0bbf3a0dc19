internal import CRealtime
internal import DSP

/// A modulated chain of allpass filters; together with the dry sound it makes inharmonic notches, which are deepest with equal parts of
/// both.
///
/// First-order sections. The feedback loop has no delay and is solved in every frame, so that notches and peaks are at
/// the same frequencies as in the analogue circuit. No latency.
public struct Phaser: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Number of allpass sections; two make a notch.
        public var stages: Float
        /// Sweep frequency, Hz.
        public var rate: Float
        /// Frequency at the middle of the sweep at which a section turns the phase by 90 degrees, Hz.
        public var frequency: Float
        /// Octaves swept up and down.
        public var depth: Float
        /// Share of the output of the chain that is fed back.
        public var feedback: Float
        /// Phase lead of the right side, degrees.
        public var phase: Float
    }

    private static var most: Int { @_noLocks @_noAllocation get { 12 } }

    private let rate: Float
    /// Rows of 16: for each side the state of each section; ``shares`` and their change per frame; for each side the
    /// coefficients of sixteen frames.
    private let memory = Row(6 * 16)
    private var oscillator = Oscillator()
    private var speed = Smoother()
    private var octave = Smoother()
    private var depth = Smoother()
    private var feedback = Smoother()
    private var phase = Smoother()
    /// Share of the chain's output after each even number of sections.
    private var shares = VectorSmoother<SIMD8<Float>>()

    public let latency = 0

    public init(rate: Float, largestBlock: Int) { self.rate = rate }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { Int(clamping: rate * 0.05) }

    @_noLocks @_noAllocation
    public mutating func reset() {
        memory.clear()
        oscillator.reset()
        speed.reset()
        octave.reset()
        depth.reset()
        feedback.reset()
        phase.reset()
        shares.reset()
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let step = Oscillator.step(speed.advance(to: settings.rate, share: share), rate: rate)
        let octaves = octave.ramp(to: 3.321928 * rt_log10(settings.frequency), share: share, frames: frames)
        let depths = depth.ramp(to: settings.depth, share: share, frames: frames)
        let feedbacks = feedback.ramp(to: settings.feedback, share: share, frames: frames)
        let phases = phase.ramp(to: settings.phase / 360, share: share, frames: frames)
        var chosen = SIMD8<Float>.zero
        chosen[max(0, min(5, Int(clamping: (settings.stages + 0.5) / 2) &- 1))] = 1
        let pairs = shares.ramp(to: chosen, share: share, frames: frames)
        for pair in 0..<8 {
            (memory.samples[32 &+ pair], memory.samples[48 &+ pair]) = (pairs.from[pair], pairs.step[pair])
        }
        let used = used(pairs)
        let fades: Int32 = pairs.step == SIMD8<Float>.zero && pairs.from.max() == 1 ? 0 : 1
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
            var block = rt_allpass_block(
                left: coefficients, right: coefficients + 16,
                feedback: feedbacks.value(at: at &- 1), feedback_step: feedbacks.step,
                share: memory.samples + 32, share_step: memory.samples + 48, frame: Float(at))
            rt_allpass_chain(memory.samples, left + at, right + at, count, &block, used, fades)
            oscillator.advance(count, step: step)
            at = at &+ count
        }
    }

    /// Coefficient of a section that turns the phase by 90 degrees at 2^octave Hz.
    @_noLocks @_noAllocation @inline(__always)
    private func allpass(_ octave: Lanes) -> Lanes {
        let turns = rt_min16(rt_exp2_16(octave) * (0.5 / rate), rt_all16(0.24))
        let sine = rt_sine16(turns)
        let cosine = rt_sine16(turns + 0.25)
        return (sine - cosine) / (sine + cosine)
    }

    /// Number of pairs of sections with a share.
    @_noLocks @_noAllocation
    private func used(_ pairs: VectorRamp<SIMD8<Float>>) -> Int32 {
        var used: Int32 = 1
        for pair in 1..<Self.most / 2 where !pairs[pair].isZero { used = Int32(truncatingIfNeeded: pair &+ 1) }
        return used
    }
}
