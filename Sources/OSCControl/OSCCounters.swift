internal import Synchronization

/// What the pose thread has seen since the start; any thread may read it.
public final class OSCCounters: Sendable {
    let datagramCount = Atomic<Int>(0)
    let poseCount = Atomic<Int>(0)
    let droppedCount = Atomic<Int>(0)
    let refusedCount = Atomic<Int>(0)
    let strangerCount = Atomic<Int>(0)

    public init() {}

    /// Datagrams received.
    public var datagrams: Int { datagramCount.load(ordering: .relaxed) }
    /// Poses that went straight to their listener.
    public var poses: Int { poseCount.load(ordering: .relaxed) }
    /// Messages dropped because the control thread was behind and the queue to it full.
    public var dropped: Int { droppedCount.load(ordering: .relaxed) }
    /// Messages of bundles in the future that were refused because too many were waiting.
    public var refused: Int { refusedCount.load(ordering: .relaxed) }
    /// Datagrams refused because their sender's address is not allowed.
    public var strangers: Int { strangerCount.load(ordering: .relaxed) }
}
