/// A head that was rendered from a block on, and the pose it came from.
public struct HeadStep: BitwiseCopyable, Sendable {
    /// Frames of the recording that were used before the block.
    public var position: Int64
    /// w x y z, as rendered: predicted, where that is on.
    public var head: SIMD4<Float>
    /// w x y z, as it came.
    public var pose: SIMD4<Float>
    /// When it was taken, or received where that is not known, CLOCK_MONOTONIC nanoseconds; 0 for the pose nobody sent.
    public var time: UInt64

    @_noLocks @_noAllocation
    public init(position: Int64, head: SIMD4<Float>, pose: SIMD4<Float>, time: UInt64) {
        self.position = position
        self.head = head
        self.pose = pose
        self.time = time
    }
}
