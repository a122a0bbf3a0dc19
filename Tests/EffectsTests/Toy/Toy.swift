import DSP
import Effects

/// The smallest complete effect: a gain that can invert the sound.
///
/// It is declared and registered exactly as the effects of the program are, but only here.
struct Toy: ~Copyable, Effect {
    struct Settings: EffectSettings {
        /// Gain, as a factor.
        var gain: Float
        /// 0.5 or more inverts the sound.
        var isInverted: Float
    }

    let latency = 0
    private let rate: Float
    private var gain = Smoother()

    init(rate: Float, largestBlock: Int) { self.rate = rate }

    @_noLocks @_noAllocation
    func tail(_ settings: Settings) -> Int { 0 }

    @_noLocks @_noAllocation
    mutating func reset() { gain.reset() }

    @_noLocks @_noAllocation
    mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let wanted = settings.isInverted > 0.5 ? -settings.gain : settings.gain
        gain.ramp(to: wanted, share: share, frames: frames).scale(left, right, frames: frames)
    }
}
