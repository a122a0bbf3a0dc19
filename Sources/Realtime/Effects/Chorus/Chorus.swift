internal import CRealtime
internal import DSP

/// Up to eight copies of the sound with modulated delays, each with another phase, like several players. No latency.
public struct Chorus: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Number of copies.
        public var voices: Float
        /// Modulation frequency, Hz.
        public var rate: Float
        /// Difference between the longest and the shortest delay of a copy, milliseconds.
        public var depth: Float
        /// Mean delay of the first copy, milliseconds; each further copy is a tenth later.
        public var delay: Float
        /// Difference between the modulation of the two sides; 0 is none.
        public var width: Float
    }

    private static var most: Int { @_noLocks @_noAllocation get { 8 } }

    private let rate: Float
    private var copies: ModulatedDelay
    /// Gain of each copy.
    private var gains = VectorSmoother<SIMD8<Float>>()

    public let latency = 0

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        copies = ModulatedDelay(rate: rate, seconds: 0.080)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int {
        Int(clamping: (settings.delay * 1.7 + settings.depth) * rate / 1000)
    }

    @_noLocks @_noAllocation
    public mutating func reset() {
        copies.reset()
        gains.reset()
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let samples = rate / 1000
        let modulation = copies.modulation(
            frames: frames, frequency: settings.rate, amplitude: settings.depth * samples / 2,
            shortest: max(settings.delay * samples, 8), lead: settings.width * 0.25)
        let gains = gains.ramp(to: wanted(settings.voices), share: share, frames: frames)
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let turns = copies.turns(modulation)
            let course = copies.course(modulation, count: count)
            let xLeft = leftSamples.lanes(at)
            let xRight = rightSamples.lanes(at)
            copies.write(xLeft, xRight)
            var wetLeft = Lanes.zero
            var wetRight = Lanes.zero
            for voice in 0..<Self.most {
                guard !gains[voice].isZero else { break }
                let gain = gains[voice].lanes(at)
                // Multiples of the golden section of a turn, which spread any number of copies evenly.
                let own = rt_fold16(turns + (Float(voice) * 0.618034 - rt_floor(Float(voice) * 0.618034)))
                let stretch = 1 + 0.1 * Float(voice)
                let whole = Int(clamping: course.shortest[0] * stretch)
                let rest = rt_fma16(course.shortest, rt_all16(stretch), rt_all16(-Float(whole)))
                let delays = copies.delays(own, around: rest + course.amplitude, amplitude: course.amplitude, modulation, at: at)
                let copy = copies.read(whole, further: delays)
                wetLeft = rt_fma16(gain, copy.left, wetLeft)
                wetRight = rt_fma16(gain, copy.right, wetRight)
            }
            copies.advance(count, modulation)
            leftSamples.setLanes(at, wetLeft)
            rightSamples.setLanes(at, wetRight)
            at = at &+ count
        }
    }

    /// Gains of the copies, with constant total power.
    @_noLocks @_noAllocation
    private func wanted(_ voices: Float) -> SIMD8<Float> {
        let count = max(1, min(8, Int(clamping: voices + 0.5)))
        let level = 1 / rt_sqrt(Float(count))
        var gains = SIMD8<Float>.zero
        for voice in 0..<count { gains[voice] = level }
        return gains
    }
}
