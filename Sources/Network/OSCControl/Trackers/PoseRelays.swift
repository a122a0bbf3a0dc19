public import Hub
internal import Parameters
public import Pose

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

/// Sends a listener's poses to another program in the format of a tracker profile.
///
/// Used on the control thread only.
public final class PoseRelay {
    private let writer: TrackerWriter
    private let sender: DatagramSender
    private var last: SIMD4<Float>?
    /// Time of the last packet, CLOCK_MONOTONIC nanoseconds.
    private var sent: UInt64 = 0
    /// Nanoseconds after which a pose is repeated, for a receiver that started later.
    private static let repetition: UInt64 = 1_000_000_000

    /// - Throws: ``OSCReceiverError`` when the host name cannot be resolved.
    public init(_ profile: TrackerProfile, host: String, port: UInt16) throws(OSCReceiverError) {
        writer = TrackerWriter(profile)
        sender = try DatagramSender(host: host, port: port)
    }

    /// Sends a pose if it differs from the previous one, and repeats it once a second.
    ///
    /// - Parameters:
    ///   - quaternion: w x y z, head to world.
    ///   - front: yaw in degrees that counts as straight ahead and is sent as 0.
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    public func send(_ quaternion: SIMD4<Float>, front: Float, now: UInt64) {
        let head = Orientation.turned(quaternion, yaw: -front)
        guard head != last || now >= sent + Self.repetition else { return }
        (last, sent) = (head, now)
        for packet in writer.packets(head) {
            switch packet {
            case .message(let address, let arguments): sender.send(OSCPacket.bytes(address, arguments))
            case .datagram(let bytes): sender.send(bytes)
            }
        }
    }
}
