internal import CRealtime
internal import DSP

/// Distorts the waveform at twelve times the rate, to avoid aliases.
///
/// Linear-phase interpolation and decimation, declared as latency. With a 5 kHz tone at the initial drive, no curve has an
/// alias above -80 dBc up to 20 kHz; with 40 dB of drive, the curves soft and tube have none above -70 dBc at any frequency,
/// nor has fold with tones up to 2.4 kHz.
public struct Overdrive: ~Copyable, Effect {
    public enum Curve: Int, CaseIterable, Sendable {
        /// tanh: rounds from the start; averaged over each step (antiderivative antialiasing), as are `hard` and `tube`.
        case soft
        /// Linear nearly up to full scale, constant from there.
        case hard
        /// tanh with an offset: one half wave is distorted before the other, which adds even harmonics.
        case tube
        /// Sine of the signal: values beyond full scale fold back.
        case fold
    }

    public struct Settings: EffectSettings {
        /// Gain before the curve, dB.
        public var drive: Float
        /// Index of a ``Curve``.
        public var curve: Float
        /// Cutoff frequency of the low-pass filter after the curve, Hz; off at the upper end.
        public var tone: Float
        /// Gain after the curve, dB.
        public var level: Float
        /// Share of the input's level that drive and level follow.
        public var follow: Float
    }

    private let rate: Float
    private let filter = OversamplingFilter()
    private let tripling = TriplingFilter()
    private let decimation = DecimationFilter()
    private var left: OverdriveSide
    private var right: OverdriveSide
    private var drive = Smoother()
    private var tone = Smoother()
    private var level = Smoother()
    private var follower: DriveFollower
    /// Share of each curve.
    private var shares = VectorSmoother<SIMD4<Float>>()
    private var coefficients = LowPass.Coefficients(pole: 0)
    private let blocker: LowPass.Coefficients

    static var delay: Int {
        @_noLocks @_noAllocation get {
            OversamplingFilter.first + DecimationFilter.delay + 2 * (OversamplingFilter.second + TriplingFilter.delay)
        }
    }
    public var latency: Int { @_noLocks @_noAllocation get { Self.delay } }

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        left = OverdriveSide(largestBlock: largestBlock)
        right = OverdriveSide(largestBlock: largestBlock)
        follower = DriveFollower(rate: rate)
        blocker = .init(cutoff: 5, rate: rate)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { latency + Int(clamping: rate / 20) }

    @_noLocks @_noAllocation
    public mutating func reset() {
        left.reset()
        right.reset()
        drive.reset()
        tone.reset()
        level.reset()
        follower.reset()
        shares.reset()
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let louder = follower.advance(leftSamples, rightSamples, frames: frames, share: settings.follow, step: share)
        let drive = drive.ramp(to: rt_exp2(settings.drive * 0.16609640 - louder), share: share, frames: frames)
        let level = level.ramp(to: rt_exp2(settings.level * 0.16609640 + louder), share: share, frames: frames)
        let before = tone.value
        let cutoff = tone.advance(to: settings.tone, share: share)
        if cutoff != before { coefficients = cutoff >= 19_999 ? .init(pole: 0) : .init(cutoff: cutoff, rate: rate) }
        var chosen = SIMD4<Float>.zero
        chosen[max(0, min(3, Int(clamping: settings.curve + 0.5)))] = 1
        let shaper = Waveshaper(drive: drive, shares: shares.ramp(to: chosen, share: share, frames: frames))
        let finish = OverdriveSide.Finish(tone: coefficients, blocker: blocker, level: level)
        left.process(leftSamples, frames: frames, filter, tripling, decimation, shaper, finish)
        right.process(rightSamples, frames: frames, filter, tripling, decimation, shaper, finish)
    }
}
