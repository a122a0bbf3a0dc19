public import Hub
internal import Parameters

/// Sends the poses of listeners to other programs.
///
/// Used on the control thread only.
public final class PoseRelays {
    private let hub: Hub
    private var relays: [(relay: PoseRelay, quaternion: Int, front: Int)] = []

    public init(hub: Hub) { self.hub = hub }

    public var isEmpty: Bool { relays.isEmpty }

    /// - Parameter listener: whose poses are sent, from 0.
    public func add(_ relay: PoseRelay, listener: Int) {
        relays.append((relay, hub.tree.index(ListenerParameter.quaternion, listener), hub.tree.index(ListenerParameter.front, listener)))
    }

    /// Sends the poses that have changed.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public func send(now: UInt64) {
        for (relay, quaternion, front) in relays {
            let q = hub.value(quaternion).numbers
            relay.send(SIMD4(q[0], q[1], q[2], q[3]), front: hub.value(front).numbers[0], now: now)
        }
    }
}
