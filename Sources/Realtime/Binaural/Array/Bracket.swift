/// The two microphones on either side of an ear, and the ear's place between them.
public struct Bracket: BitwiseCopyable, Sendable {
    /// Channel to the right of the ear (or exactly at it).
    public var lower: Int
    /// Channel to the left of the ear.
    public var upper: Int
    /// Position between them: 0 at `lower`, below 1 at `upper`.
    public var fraction: Float
    /// One over the distance from `lower` to `upper`, per degree.
    public var closeness: Float

    @_noLocks @_noAllocation
    init(lower: Int, upper: Int, fraction: Float, closeness: Float) {
        self.lower = lower
        self.upper = upper
        self.fraction = fraction
        self.closeness = closeness
    }

    /// Adds linear interpolation between the two microphones, in one band.
    ///
    /// - Parameter share: factor of both weights.
    @_noLocks @_noAllocation
    func add(to taps: inout Taps, _ band: Taps.Band, share: Float = 1) {
        taps.add(band, lower, share * (1 - fraction))
        taps.add(band, upper, share * fraction)
    }
}
