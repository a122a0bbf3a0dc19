internal import CRealtime
internal import DSP

/// The sound of a room or a device, by convolution with its impulse response from the first sample on.
///
/// The first 128 taps are convolved directly; the rest in the frequency domain, in partitions of 128 taps, of 1024 from tap 2048 on and of
/// 4096 from tap 8192 on; the work of the large ones is spread over the time until it is due (Gardner, "Efficient convolution without
/// input-output delay", JAES 1995). No latency.
public struct Convolution: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Gain of the convolved sound, dB.
        public var gain: Float
        /// 0 for a response scaled to keep the level of white noise, 1 for a response at the level of its file.
        public var level: Float
    }

    private let rate: Float
    private let length: Int
    private let isTrueStereo: Bool
    private let ownLevel: Float
    private var left: ConvolutionSide
    private var right: ConvolutionSide
    private var leftToRight: ConvolutionSide
    private var rightToLeft: ConvolutionSide
    private var gain = Smoother()

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
        leftToRight = ConvolutionSide(response.leftToRight)
        rightToLeft = ConvolutionSide(response.rightToLeft)
        (isTrueStereo, ownLevel) = (response.isTrueStereo, response.ownLevel)
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
        leftToRight.reset()
        rightToLeft.reset()
        gain.reset()
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let level = settings.level > 0.5 ? ownLevel : 1
        let gain = gain.ramp(to: rt_exp2(settings.gain * 0.16609640) * level, share: share, frames: frames)
        var at = 0
        while at < frames {
            let count = min(ConvolutionSide.part &- left.gathered, frames &- at)
            left.take(leftSamples + at, count)
            right.take(rightSamples + at, count)
            if isTrueStereo {
                leftToRight.take(leftSamples + at, count)
                rightToLeft.take(rightSamples + at, count)
            }
            left.give(leftSamples + at, count, frame: at, gain: gain, adds: false)
            right.give(rightSamples + at, count, frame: at, gain: gain, adds: false)
            if isTrueStereo {
                leftToRight.give(rightSamples + at, count, frame: at, gain: gain, adds: true)
                rightToLeft.give(leftSamples + at, count, frame: at, gain: gain, adds: true)
            }
            at = at &+ count
        }
    }
}
