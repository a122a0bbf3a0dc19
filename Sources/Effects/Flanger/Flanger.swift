internal import CRealtime
internal import DSP

/// A copy of the sound with a short, modulated delay; together with the dry sound a comb filter with moving notches.
///
/// With as much dry sound and no feedback, notches are at (k + 1/2) / delay. No latency.
public struct Flanger: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Sweep frequency, Hz.
        public var rate: Float
        /// Difference between the longest and the shortest delay, milliseconds.
        public var depth: Float
        /// Shortest delay, milliseconds.
        public var delay: Float
        /// Share of the delayed sound that is fed back.
        public var feedback: Float
        /// Phase lead of the right side, degrees.
        public var phase: Float
    }

    private let rate: Float
    private var copy: ModulatedDelay
    private var feedback = Smoother()

    public let latency = 0

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        copy = ModulatedDelay(rate: rate, seconds: 0.016)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int {
        let longest = (settings.delay + settings.depth) * rate / 1000
        let loss = -20 * rt_log10(max(0.001, min(abs(settings.feedback), 0.95)))
        return Int(clamping: longest * (1 + 60 / loss))
    }

    @_noLocks @_noAllocation
    public mutating func reset() {
        copy.reset()
        feedback.reset()
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let samples = rate / 1000
        let modulation = copy.modulation(
            frames: frames, frequency: settings.rate, amplitude: settings.depth * samples / 2,
            shortest: max(settings.delay * samples, ModulatedDelay.shortest + 1.2), lead: settings.phase / 360)
        let feedbacks = feedback.ramp(to: settings.feedback, share: share, frames: frames)
        let isLoop = !feedbacks.isZero
        var at = 0
        while at < frames {
            let middle = modulation.shortest.lanes(at) + modulation.amplitude.lanes(at)
            let delays = copy.delays(copy.turns(modulation), around: middle, modulation, at: at)
            var count = min(laneCount, frames &- at)
            if isLoop {
                // Feedback has to be written before it is read.
                let nearest = min(min(delays.left[0], delays.left[15]), min(delays.right[0], delays.right[15]))
                count = min(count, max(1, Int(clamping: nearest - 0.1 - ModulatedDelay.shortest)))
            }
            let xLeft = leftSamples.lanes(at)
            let xRight = rightSamples.lanes(at)
            if !isLoop { copy.write(xLeft, xRight) }
            let (wetLeft, wetRight) = copy.read(0, further: delays)
            if isLoop {
                let g = feedbacks.lanes(at)
                copy.write(rt_fma16(g, wetLeft, xLeft), rt_fma16(g, wetRight, xRight))
            }
            copy.advance(count, modulation)
            leftSamples.setLanes(at, wetLeft, count: count)
            rightSamples.setLanes(at, wetRight, count: count)
            at = at &+ count
        }
    }
}
