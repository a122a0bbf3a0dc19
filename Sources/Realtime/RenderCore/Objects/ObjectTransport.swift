/// State of the recording that sound objects follow.
package struct ObjectTransport: BitwiseCopyable, Sendable {
    package var isPlaying: Bool
    /// Whether the recording was returned to its beginning, as opposed to paused.
    package var isStopped: Bool
    /// Number of the feed that is heard; another number means that the recording was started or sought.
    package var feed: Int64
    /// Present place in the recording, frames.
    package var place: Int64
    /// Radius of the recording's array, metres; 0 without a recording.
    package var radius: Float

    @_noLocks @_noAllocation
    package init(isPlaying: Bool, isStopped: Bool = false, feed: Int64 = 0, place: Int64 = 0, radius: Float = 0) {
        self.isPlaying = isPlaying
        self.isStopped = isStopped
        self.feed = feed
        self.place = place
        self.radius = radius
    }
}
