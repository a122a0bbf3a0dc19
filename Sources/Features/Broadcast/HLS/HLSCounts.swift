/// Totals of all streams since the start.
struct HLSCounts {
    /// Segments of all formats.
    var segments = 0
    /// Seconds of sound.
    var lost = 0.0
}
