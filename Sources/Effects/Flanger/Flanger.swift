internal import CRealtime
internal import DSP

/// Adds a copy of the sound with a short, modulated delay: a comb filter with moving notches.
///
/// With equal shares and no feedback, notches are at (k + 1/2) / delay. No latency: the dry sound is not delayed.
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
        /// Share of the delayed sound in the output.
        public var mix: Float
    }

    private let rate: Float
    private var left: DelayLine
    private var right: DelayLine
    private var oscillator = Oscillator()
    private var frequency = Smoother()
    private var depth = Smoother()
    private var delay = Smoother()
    private var feedback = Smoother()
    private var phase = Smoother()
    private var mix = Smoother()

    public let latency = 0

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        let longest = Int(clamping: rate * 0.016) + 32
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int {
        let longest = (settings.delay + settings.depth) * rate / 1000
        let loss = -20 * rt_log10(max(0.001, min(abs(settings.feedback), 0.95)))
        return Int(clamping: longest * (1 + 60 / loss))
    }

    @_noLocks @_noAllocation
    public mutating func reset() {
        left.reset()
        right.reset()
        oscillator.reset()
        frequency.reset()
        depth.reset()
        delay.reset()
        feedback.reset()
        phase.reset()
        mix.reset()
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        // A changing delay shifts the pitch, so it takes longer.
        let slow = Smoother.share(frames: frames, rate: rate, seconds: 0.15)
        let step = Oscillator.step(frequency.advance(to: settings.rate, share: share), rate: rate)
        let samples = rate / 1000
        let halves = depth.ramp(to: settings.depth * samples / 2, share: slow, frames: frames)
        let shortest = delay.ramp(to: max(settings.delay * samples, 3.5), share: slow, frames: frames)
        let feedbacks = feedback.ramp(to: settings.feedback, share: share, frames: frames)
        let phases = phase.ramp(to: settings.phase / 360, share: share, frames: frames)
        let mixes = mix.ramp(to: settings.mix, share: share, frames: frames)
        let isLoop = !feedbacks.isZero
        var at = 0
        while at < frames {
            let turns = oscillator.turns(step: step)
            let half = halves.lanes(at)
            let middle = shortest.lanes(at) + half
            let leftDelay = rt_fma16(half, rt_sine16(turns), middle)
            let rightDelay = rt_fma16(half, rt_sine16(rt_fold16(turns + phases.lanes(at))), middle)
            var count = min(laneCount, frames &- at)
            if isLoop {
                // Feedback has to be written before it is read.
                let nearest = min(min(leftDelay[0], leftDelay[15]), min(rightDelay[0], rightDelay[15]))
                count = min(count, max(1, Int(clamping: nearest - 0.1) &- 2))
            }
            let xLeft = leftSamples.lanes(at)
            let xRight = rightSamples.lanes(at)
            if !isLoop {
                left.write(xLeft)
                right.write(xRight)
            }
            let wetLeft = left.read(0, further: leftDelay)
            let wetRight = right.read(0, further: rightDelay)
            if isLoop {
                let g = feedbacks.lanes(at)
                left.write(rt_fma16(g, wetLeft, xLeft))
                right.write(rt_fma16(g, wetRight, xRight))
            }
            left.advance(count)
            right.advance(count)
            let m = mixes.lanes(at)
            leftSamples.setLanes(at, rt_fma16(m, wetLeft - xLeft, xLeft), count: count)
            rightSamples.setLanes(at, rt_fma16(m, wetRight - xRight, xRight), count: count)
            oscillator.advance(count, step: step)
            at = at &+ count
        }
    }
}
