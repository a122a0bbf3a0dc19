/// Place of a block in the recording, or in time when there is none.
struct RenderPlace: BitwiseCopyable {
    /// Number of the feed that the block is from; 0 without a recording.
    var feed: Int64
    /// Frames of that feed that were used before the block; without a recording, frames rendered since the start.
    var frames: Int64

    @_noLocks @_noAllocation
    init(feed: Int64, frames: Int64) {
        self.feed = feed
        self.frames = frames
    }
}
