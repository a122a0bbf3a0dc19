internal import CRealtime
internal import DSP

/// Periodic change of pitch by a modulated delay. The delay depends on the depth and is therefore not declared as
/// latency.
public struct Vibrato: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Modulation frequency, Hz.
        public var rate: Float
        /// Peak deviation, cents.
        public var depth: Float
        /// Phase lead of the right side, degrees.
        public var phase: Float
    }

    private let rate: Float
    private var left: DelayLine
    private var right: DelayLine
    private var oscillator = Oscillator()
    private var frequency = Smoother()
    private var sway = Smoother()
    private var phase = Smoother()

    public let latency = 0

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        let longest = Int(clamping: rate * 0.040) + 32
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { Int(clamping: 2 * amplitude(settings)) + 4 }

    @_noLocks @_noAllocation
    public mutating func reset() {
        left.reset()
        right.reset()
        oscillator.reset()
        frequency.reset()
        sway.reset()
        phase.reset()
    }

    /// Amplitude of the delay's sine in samples; its steepest slope is the largest detuning.
    @_noLocks @_noAllocation
    private func amplitude(_ settings: Settings) -> Float {
        let steepest = rt_exp2(min(settings.depth, 100) / 1200) - 1
        return steepest * rate / (2 * .pi * max(settings.rate, 0.5))
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let slow = Smoother.share(frames: frames, rate: rate, seconds: 0.15)
        let step = Oscillator.step(frequency.advance(to: settings.rate, share: share), rate: rate)
        let sways = sway.ramp(to: amplitude(settings), share: slow, frames: frames)
        let phases = phase.ramp(to: settings.phase / 360, share: share, frames: frames)
        let isStereo = !phases.isZero
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let turns = oscillator.turns(step: step)
            let sway = sways.lanes(at)
            let middle = sway + 2.5
            left.write(leftSamples.lanes(at))
            right.write(rightSamples.lanes(at))
            let leftDelay = rt_fma16(sway, rt_sine16(turns), middle)
            let rightDelay = isStereo ? rt_fma16(sway, rt_sine16(rt_fold16(turns + phases.lanes(at))), middle) : leftDelay
            leftSamples.setLanes(at, left.read(0, further: leftDelay))
            rightSamples.setLanes(at, right.read(0, further: rightDelay))
            left.advance(count)
            right.advance(count)
            oscillator.advance(count, step: step)
            at = at &+ count
        }
    }
}
