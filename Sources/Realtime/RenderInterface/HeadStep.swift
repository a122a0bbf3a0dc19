/// Head orientation and place used from one block on, and the pose it was derived from.
public struct HeadStep: BitwiseCopyable, Sendable {
    /// Number of the feed that the block is from; 0 without a recording.
    public var feed: Int64
    /// Frames of that feed that were used before the block; without a recording, frames rendered since the start.
    public var position: Int64
    /// Orientation as rendered, w x y z: predicted, when prediction is on.
    public var head: SIMD4<Float>
    /// Target place of the head, metres in the world: front, left, up.
    public var place: SIMD3<Float>
    /// Orientation as received, w x y z.
    public var pose: SIMD4<Float>
    /// Time at which the pose was sampled, or received when that is unknown, CLOCK_MONOTONIC nanoseconds; 0 for the
    /// initial pose.
    public var time: UInt64

    @_noLocks @_noAllocation
    public init(
        position: Int64, feed: Int64 = 0, head: SIMD4<Float>, place: SIMD3<Float> = .zero, pose: SIMD4<Float>, time: UInt64
    ) {
        self.feed = feed
        self.position = position
        self.head = head
        self.place = place
        self.pose = pose
        self.time = time
    }
}
