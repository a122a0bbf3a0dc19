internal import CRealtime
internal import DSP

/// The sound of a room or a device, by convolution with its impulse response from the first sample on.
///
/// The first 128 taps are convolved directly; the rest in the frequency domain, in partitions of 128 taps, from 2048 on
/// of 1024 and from 8192 on of 4096, whose work is spread over the time until it is due (Gardner, "Efficient
/// convolution without input-output delay", JAES 1995). No latency.
public struct Convolution: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Gain of the convolved sound, dB.
        public var gain: Float
        /// Share of the convolved sound in the output.
        public var mix: Float
    }

    private let rate: Float
    private let length: Int
    private var left: ConvolutionSide
    private var right: ConvolutionSide
    private var gain = Smoother()
    private var mix = Smoother()

    public let latency = 0

    /// Convolves with silence.
    public init(rate: Float, largestBlock: Int) { self.init(rate: rate, largestBlock: largestBlock, response: nil) }

    public init(rate: Float, largestBlock: Int, settings: Settings, response: ResponseSpectra?) {
        self.init(rate: rate, largestBlock: largestBlock, response: response)
    }

    private init(rate: Float, largestBlock: Int, response: ResponseSpectra?) {
        let response = response ?? ResponseSpectra(left: [], right: [])
        self.rate = rate
        length = response.length
        left = ConvolutionSide(response.left)
        right = ConvolutionSide(response.right)
    }

    /// - Parameters:
    ///   - left, right: impulse response of each side, samples at `rate`; the same one twice for a mono response.
    public init(rate: Float, largestBlock: Int, left: [Float], right: [Float]) {
        self.init(rate: rate, largestBlock: largestBlock, response: ResponseSpectra(left: left, right: right))
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { length }

    @_noLocks @_noAllocation
    public mutating func reset() {
        left.reset()
        right.reset()
        gain.reset()
        mix.reset()
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let gain = gain.ramp(to: rt_exp2(settings.gain * 0.16609640), share: share, frames: frames)
        let mix = mix.ramp(to: settings.mix, share: share, frames: frames)
        var at = 0
        while at < frames {
            let count = min(ConvolutionSide.part &- left.gathered, frames &- at)
            left.process(leftSamples + at, count, frame: at, gain: gain, mix: mix)
            right.process(rightSamples + at, count, frame: at, gain: gain, mix: mix)
            at = at &+ count
        }
    }
}
