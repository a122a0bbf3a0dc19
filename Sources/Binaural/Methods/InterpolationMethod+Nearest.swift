extension InterpolationMethod {
    /// The nearest microphone alone, with hysteresis and a crossfade at sector borders.
    @_noLocks @_noAllocation
    static func nearest(_ nearest: NearestMicrophone, _ taps: inout Taps) {
        nearest.add(to: &taps, .full)
    }
}
