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

/// Orientation of a listener's head from a sample of the engine on.
public struct TakeHead: BitwiseCopyable, Sendable {
    /// Number of the listener, counted from 0.
    public var listener: Int32
    /// The head; its position is the sample of the engine at which the block begins.
    public var step: HeadStep

    @_noLocks @_noAllocation
    public init(listener: Int, step: HeadStep) {
        self.listener = Int32(truncatingIfNeeded: listener)
        self.step = step
    }
}

/// Position of a sound object from a given engine sample onwards.
public struct TakeObject: BitwiseCopyable, Sendable {
    /// Number of the object, counted from 0.
    public var object: Int32
    /// Sample of the engine at which the block begins.
    public var sample: Int64
    /// Azimuth and elevation in degrees, distance in metres, gain as a factor; 0 while the object is muted.
    public var place: SIMD4<Float>

    @_noLocks @_noAllocation
    public init(object: Int, sample: Int64, place: SIMD4<Float>) {
        self.object = Int32(truncatingIfNeeded: object)
        self.sample = sample
        self.place = place
    }
}
