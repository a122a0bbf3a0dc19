/// Place of an ear among the microphones.
public struct EarPlace: BitwiseCopyable, Sendable {
    /// Degrees in (-180, 180].
    let azimuth: Float
    /// Degrees from 0 to 90 above or below the ring's plane; used by methods with bands for it.
    let elevation: Float
    /// The two microphones beside the azimuth.
    let bracket: Bracket
    /// The microphone nearest to the azimuth.
    let nearest: NearestMicrophone
    /// Channel that `two-band-fixed` uses above the crossover.
    let fixed: Int

    @_noLocks @_noAllocation
    public init(azimuth: Float, elevation: Float = 0, _ bracket: Bracket, nearest: NearestMicrophone, fixed: Int) {
        self.azimuth = azimuth
        self.elevation = elevation
        self.bracket = bracket
        self.nearest = nearest
        self.fixed = fixed
    }
}
