import Media

/// The recording that plays next: being opened, or open.
struct ComingEntry {
    /// Place in the playlist; nil for a recording that a message named.
    let place: Int?
    let path: String
    /// Opens the recording; nil once it is open, or when a message opened it.
    var job: BackgroundJob<Result<OpenedRecording, MediaError>>?
    var opened: OpenedRecording?
    /// Duration of the requested crossfade, seconds.
    var seconds = 0.0
    /// Latest request sent to the renderer; nil before the first.
    var request: Request?

    /// Everything that determines the transition to the recording.
    struct Request: Equatable {
        /// Number of the feed that it follows; 0 to follow at once.
        let feed: Int64
        let crossfade: Float
        let planChanges: Int
    }
}
