internal import CRealtime
internal import DSP

/// A room: sixteen delay lines in a lossless feedback network, with filters that set the decay time.
///
/// A feedback delay network (Jot and Chaigne, "Digital delay networks for designing artificial reverberators", AES
/// 1991) mixed by a Hadamard matrix; half of the lines are modulated slowly against ringing. Four allpass filters on
/// each side increase the density of the input. No latency: the dry sound is not delayed.
public struct Reverb: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Time in which middle frequencies decay by 60 dB, seconds.
        public var decay: Float
        /// Length of the lines relative to those of a hall.
        public var size: Float
        /// Delay before the reverberation, milliseconds.
        public var preDelay: Float
        /// Shortening of the decay above 5 kHz; 0 is none, 1 a tenth of the time.
        public var damping: Float
        /// Decay time below 200 Hz relative to that of middle frequencies.
        public var bass: Float
        /// Depth of the modulation of the lines; 1 is half a millisecond.
        public var modulation: Float
        /// Stereo width, from mono (0) to full (1).
        public var width: Float
        /// Share of the reverberation in the output.
        public var mix: Float
    }

    private let rate: Float
    private var network: ReverbNetwork
    private var leftEntry: Diffuser
    private var rightEntry: Diffuser
    private var leftWait: DelayLine
    private var rightWait: DelayLine
    private var wait = Smoother()
    private var width = Smoother()
    private var mix = Smoother()

    public let latency = 0

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        network = ReverbNetwork(rate: rate)
        leftEntry = Diffuser(rate: rate, places: .init(3.1, 4.3, 7.3, 9.7))
        rightEntry = Diffuser(rate: rate, places: .init(2.9, 4.7, 6.9, 10.3))
        leftWait = DelayLine(longest: Int(clamping: rate * 0.201) + 32)
        rightWait = DelayLine(longest: Int(clamping: rate * 0.201) + 32)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int {
        Int(clamping: (settings.preDelay / 1000 + 0.1 + settings.decay * max(1, settings.bass)) * rate)
    }

    @_noLocks @_noAllocation
    public mutating func reset() {
        network.reset()
        leftEntry.reset()
        rightEntry.reset()
        leftWait.reset()
        rightWait.reset()
        wait.reset()
        width.reset()
        mix.reset()
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let slow = Smoother.share(frames: frames, rate: rate, seconds: 0.15)
        let waits = wait.ramp(to: max(0, settings.preDelay) * rate / 1000 + 3, share: slow, frames: frames)
        let isResting = waits.isConstant && waits.from == rt_floor(waits.from)
        let widths = width.ramp(to: settings.width, share: share, frames: frames)
        let mixes = mix.ramp(to: settings.mix, share: share, frames: frames)
        network.prepare(settings, frames: frames, share: share, slow: slow)
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let xLeft = left.lanes(at)
            let xRight = right.lanes(at)
            leftWait.write(xLeft)
            rightWait.write(xRight)
            let whole = Int(clamping: waits.from)
            let further = waits.lanes(at) - Float(whole)
            var wetLeft = isResting ? leftWait.read(whole) : leftWait.read(whole, further: further)
            var wetRight = isResting ? rightWait.read(whole) : rightWait.read(whole, further: further)
            leftWait.advance(count)
            rightWait.advance(count)
            wetLeft = leftEntry.process(wetLeft, count: count)
            wetRight = rightEntry.process(wetRight, count: count)
            network.process(&wetLeft, &wetRight, frame: at, count: count)
            let middle = (wetLeft + wetRight) * 0.5
            let side = (wetLeft - wetRight) * widths.lanes(at) * 0.5
            let m = mixes.lanes(at)
            left.setLanes(at, rt_fma16(m, middle + side - xLeft, xLeft))
            right.setLanes(at, rt_fma16(m, middle - side - xRight, xRight))
            at = at &+ count
        }
    }
}
