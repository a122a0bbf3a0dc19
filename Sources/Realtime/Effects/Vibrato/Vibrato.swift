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
    private var copy: ModulatedDelay

    public let latency = 0

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        copy = ModulatedDelay(rate: rate, seconds: 0.040)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { Int(clamping: 2 * amplitude(settings)) + 8 }

    @_noLocks @_noAllocation
    public mutating func reset() { copy.reset() }

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
        let modulation = copy.modulation(
            frames: frames, frequency: settings.rate, amplitude: amplitude(settings), shortest: ModulatedDelay.shortest + 0.5,
            lead: settings.phase / 360)
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let course = copy.course(modulation, count: count)
            copy.write(leftSamples.lanes(at), rightSamples.lanes(at))
            let delays = copy.delays(
                copy.turns(modulation), around: course.shortest + course.amplitude, amplitude: course.amplitude, modulation, at: at)
            let copied = copy.read(0, further: delays)
            leftSamples.setLanes(at, copied.left)
            rightSamples.setLanes(at, copied.right)
            copy.advance(count, modulation)
            at = at &+ count
        }
    }
}
