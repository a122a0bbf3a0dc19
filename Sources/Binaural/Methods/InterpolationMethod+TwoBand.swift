extension InterpolationMethod {
    /// Linear below the crossover, the nearest microphone above it.
    ///
    /// Algazi, Duda, Thompson, "Motion-tracked binaural sound", JAES 52(11), 2004.
    @_noLocks @_noAllocation
    static func twoBand(_ bracket: Bracket, _ nearest: NearestMicrophone, _ taps: inout Taps) {
        linear(bracket, .low, &taps)
        nearest.add(to: &taps, .high)
    }
}
