extension InterpolationMethod {
    /// All microphones below the crossover of the ring, each with the weight that carries a field of circular
    /// harmonics to the ear; the nearest one above it. The weights add up to 1, their squares to at most 1 on a
    /// uniform ring.
    @_noLocks @_noAllocation
    static func ring(
        _ ring: borrowing RingLookup, _ azimuth: Float, _ nearest: NearestMicrophone, _ taps: inout Taps
    ) {
        ring.add(azimuth: azimuth, to: &taps, .ringLow)
        nearest.add(to: &taps, .ringHigh)
    }
}
