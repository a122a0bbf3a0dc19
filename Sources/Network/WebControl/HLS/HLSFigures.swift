/// Figures of all HLS streams.
struct HLSFigures {
    /// Listeners that are encoded.
    let streams: Int
    /// Requests that wait.
    let waiting: Int
    /// Bytes of segments and parts in answers since the start.
    let sent: Int
    let counts: HLSCounts
}
