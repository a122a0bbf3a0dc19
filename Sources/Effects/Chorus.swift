internal import CRealtime
internal import DSP

/// Up to eight copies of the sound whose delays sway, each at another moment: several players for one.
///
/// No latency: the dry sound is not delayed.
public struct Chorus: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// How many copies, 1 to 8.
        public var voices: Float = 3
        /// Hertz, 0.05 to 5.
        public var rate: Float = 0.6
        /// Milliseconds between the longest and the shortest delay of a copy, 0 to 10.
        public var depth: Float = 3
        /// Milliseconds about which the first copy sways, 5 to 40; each further copy lies a tenth later.
        public var delay: Float = 12
        /// How different the copies are on the two sides, 0 (equal) to 1.
        public var width: Float = 0.7
        /// Share of the copies in what is heard, 0 to 1.
        public var mix: Float = 0.5

        public init() {}
    }

    private static var most: Int { @_noLocks @_noAllocation get { 8 } }

    private let rate: Float
    private var left: DelayLine
    private var right: DelayLine
    private var oscillator = Oscillator()
    private var frequency = Glide()
    private var depth = Glide()
    private var delay = Glide()
    private var width = Glide()
    private var mix = Glide()
    private var gains = SIMD8<Float>(repeating: -1)

    public let latency = 0

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        let longest = Int(rate * 0.080) + 32
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int {
        Int((settings.delay * 1.7 + settings.depth) * rate / 1000)
    }

    @_noLocks @_noAllocation
    public mutating func reset() {
        left.reset()
        right.reset()
        oscillator.reset()
        frequency.reset()
        depth.reset()
        delay.reset()
        width.reset()
        mix.reset()
        gains[0] = -1
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Glide.share(frames: frames, rate: rate)
        let slow = Glide.share(frames: frames, rate: rate, seconds: 0.15)
        let step = Oscillator.step(frequency.advance(to: settings.rate, share: share), rate: rate)
        let samples = rate / 1000
        let halves = depth.walk(to: settings.depth * samples / 2, share: slow, frames: frames)
        let middles = delay.walk(to: max(settings.delay * samples, 8), share: slow, frames: frames)
        let widths = width.walk(to: settings.width * 0.25, share: share, frames: frames)
        let mixes = mix.walk(to: settings.mix, share: share, frames: frames)
        let before = walkGains(settings.voices, share: share)
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let turns = oscillator.turns(step: step)
            let half = halves.lanes(at)
            let spread = widths.lanes(at)
            let xLeft = leftSamples.lanes(at)
            let xRight = rightSamples.lanes(at)
            left.write(xLeft)
            right.write(xRight)
            var wetLeft = Lanes.zero
            var wetRight = Lanes.zero
            for voice in 0..<Self.most {
                guard before[voice] > 0 || gains[voice] > 0 else { break }
                let slope = (gains[voice] - before[voice]) / Float(frames)
                let gain = Walk(from: before[voice], step: slope).lanes(at)
                // Golden sections of a turn: copies lie evenly however many there are.
                let own = rt_fold16(turns + (Float(voice) * 0.618034 - rt_floor(Float(voice) * 0.618034)))
                let stretch = 1 + 0.1 * Float(voice)
                let whole = Int(middles.from * stretch)
                let rest = rt_fma16(middles.lanes(at), rt_all16(stretch), rt_all16(-Float(whole))) + half
                let leftDelay = rt_fma16(half, rt_sine16(own), rest)
                let rightDelay = rt_fma16(half, rt_sine16(rt_fold16(own + spread)), rest)
                wetLeft = rt_fma16(gain, left.read(whole, further: leftDelay), wetLeft)
                wetRight = rt_fma16(gain, right.read(whole, further: rightDelay), wetRight)
            }
            left.advance(count)
            right.advance(count)
            let m = mixes.lanes(at)
            leftSamples.setLanes(at, rt_fma16(m, wetLeft - xLeft, xLeft))
            rightSamples.setLanes(at, rt_fma16(m, wetRight - xRight, xRight))
            oscillator.advance(count, step: step)
            at = at &+ count
        }
    }

    /// Copies come and go smoothly, and together keep their power. Returns the gains before this block.
    @_noLocks @_noAllocation
    private mutating func walkGains(_ voices: Float, share: Float) -> SIMD8<Float> {
        let count = max(1, min(8, Int(voices + 0.5)))
        let isFresh = gains[0] < 0
        let before = gains
        let level = 1 / rt_sqrt(Float(count))
        for voice in 0..<Self.most {
            let target = voice < count ? level : 0
            let rest = target - gains[voice]
            gains[voice] = isFresh || abs(rest) < 1e-4 ? target : gains[voice] + rest * share
        }
        return isFresh ? gains : before
    }
}
