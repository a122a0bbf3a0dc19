import Media

/// The recording of the playlist that is to follow, from the time at which it is opened.
struct ComingEntry {
    /// Nil for a recording that a message named.
    let place: Int?
    let path: String
    /// Opens the recording; nil when it was opened by a message.
    var job: BackgroundJob<Result<OpenedRecording, MediaError>>?
    var opened: OpenedRecording?
    /// Duration of the crossfade that was requested.
    var seconds = 0.0
    /// Request that the renderer has; nil before the first.
    var request: Request?

    /// Everything that determines how it follows.
    struct Request: Equatable {
        /// Feed of the recording before; 0 when it follows at once.
        let feed: Int64
        let crossfade: Float
        let planChanges: Int
    }
}
