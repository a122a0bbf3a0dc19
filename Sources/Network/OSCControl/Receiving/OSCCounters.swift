internal import Synchronization

/// Counters of the pose thread since the start. Any thread may read them.
public final class OSCCounters: Sendable {
    let datagramCount = Atomic<Int>(0)
    let poseCount = Atomic<Int>(0)
    let droppedCount = Atomic<Int>(0)
    let refusedCount = Atomic<Int>(0)
    let strangerCount = Atomic<Int>(0)
    let unknownCount = Atomic<Int>(0)

    let timedRefusals = TimedRefusals()

    public init() {}

    /// Datagrams received.
    public var datagrams: Int { datagramCount.load(ordering: .relaxed) }
    /// Poses sent directly to their listener.
    public var poses: Int { poseCount.load(ordering: .relaxed) }
    /// Messages dropped because the queue to the control thread was full.
    public var dropped: Int { droppedCount.load(ordering: .relaxed) }
    /// Scheduled messages that were not held until their time: too far ahead, or too many.
    public var refused: Int { refusedCount.load(ordering: .relaxed) }
    /// Messages to unknown addresses dropped because there were more than ``AddressGate/strangers`` per second.
    public var unknown: Int { unknownCount.load(ordering: .relaxed) }
    /// Datagrams refused because the sender's address is not allowed.
    public var strangers: Int { strangerCount.load(ordering: .relaxed) }
}
