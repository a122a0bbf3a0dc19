internal import CRealtime
internal import DSP

/// Bends the waveform, at four times the rate so that what it adds does not come back as another note.
///
/// Linear-phase interpolation and decimation, declared as latency; the dry sound waits for it. A 5 kHz tone at the
/// drive it begins with has no alias above -80 dBc with any curve.
public struct Overdrive: ~Copyable, Effect {
    public enum Curve: Int, CaseIterable, Sendable {
        /// tanh: rounds from the start.
        case soft
        /// Straight nearly up to full scale, flat from there; averaged over each step (antiderivative antialiasing).
        case hard
        /// tanh about another point: one half wave is bent before the other, with even harmonics.
        case tube
        /// A sine of the sound: what exceeds full scale comes back down.
        case fold
    }

    public struct Settings: EffectSettings {
        /// Decibels before the curve, 0 to 40.
        public var drive: Float = 12
        /// Number of a ``Curve``.
        public var curve: Float = 0
        /// Hertz where the bent sound loses 3 dB, 500 to 20,000; there it loses nothing.
        public var tone: Float = 8000
        /// Decibels after it, -24 to 12.
        public var level: Float = -6
        /// Share of the bent sound in what is heard, 0 to 1.
        public var mix: Float = 1

        public init() {}
    }

    private let rate: Float
    private let filter = OversamplingFilter()
    private var left: OverdriveSide
    private var right: OverdriveSide
    private var drive = Glide()
    private var tone = Glide()
    private var level = Glide()
    private var mix = Glide()
    private var shares = SIMD4<Float>(repeating: -1)
    private var coefficients = OnePole.Coefficients(pole: 0)
    private let blocker: OnePole.Coefficients

    public var latency: Int { @_noLocks @_noAllocation get { 2 * OversamplingFilter.delay } }

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        left = OverdriveSide(largestBlock: largestBlock)
        right = OverdriveSide(largestBlock: largestBlock)
        blocker = .init(cutoff: 5, rate: rate)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { latency + Int(rate / 20) }

    @_noLocks @_noAllocation
    public mutating func reset() {
        left.reset()
        right.reset()
        drive.reset()
        tone.reset()
        level.reset()
        mix.reset()
        shares[0] = -1
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Glide.share(frames: frames, rate: rate)
        let drive = drive.walk(to: rt_exp2(settings.drive * 0.16609640), share: share, frames: frames)
        let level = level.walk(to: rt_exp2(settings.level * 0.16609640), share: share, frames: frames)
        let mix = mix.walk(to: settings.mix, share: share, frames: frames)
        let before = tone.value
        let cutoff = tone.advance(to: settings.tone, share: share)
        if cutoff != before { coefficients = cutoff >= 19_999 ? .init(pole: 0) : .init(cutoff: cutoff, rate: rate) }
        let sharesBefore = walkShares(settings.curve, share: share)
        let bend = Bend(drive: drive, from: sharesBefore, to: shares, frames: frames)
        let finish = OverdriveSide.Finish(tone: coefficients, blocker: blocker, level: level, mix: mix)
        left.process(leftSamples, frames: frames, filter, bend, finish)
        right.process(rightSamples, frames: frames, filter, bend, finish)
    }

    /// Another curve is faded to. Returns the shares before this block.
    @_noLocks @_noAllocation
    private mutating func walkShares(_ curve: Float, share: Float) -> SIMD4<Float> {
        let wanted = max(0, min(3, Int(curve + 0.5)))
        let isFresh = shares[0] < 0
        let before = shares
        for i in 0..<4 {
            let target: Float = i == wanted ? 1 : 0
            let rest = target - shares[i]
            shares[i] = isFresh || abs(rest) < 1e-4 ? target : shares[i] + rest * share
        }
        return isFresh ? shares : before
    }
}
