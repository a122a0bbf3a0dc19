/// The way in which a feed follows the current one.
public struct FeedJoint: BitwiseCopyable, Sendable {
    /// Number of the feed that it follows; 0 for any.
    let feed: Int64
    /// Frames of that feed that are used before the crossfade begins; ``atEnd`` to follow its last frame.
    let place: Int64
    /// Length of the crossfade, frames; 0 for none.
    let crossfade: Int64
    /// Whether the microphones are the same, in place and calibration: only then do both recordings play at the same time.
    let isSameArray: Bool
    /// Whether the feed continues the same recording elsewhere, with the crossfade of a seek. Its first frame belongs exactly at ``place``:
    /// when the crossfade begins with a later block, the frames in between are skipped.
    let isExact: Bool

    public static var atEnd: Int64 { @_noLocks @_noAllocation get { .max } }

    public init(feed: Int64 = 0, place: Int64 = Self.atEnd, crossfade: Int64 = 0, isSameArray: Bool) {
        (self.feed, self.place, self.crossfade, self.isSameArray, isExact) = (feed, place, crossfade, isSameArray, false)
    }

    /// A jump within the recording at an exact time.
    public init(exactlyAt place: Int64, of feed: Int64) {
        (self.feed, self.place, crossfade, isSameArray, isExact) = (feed, place, 0, true, true)
    }
}
