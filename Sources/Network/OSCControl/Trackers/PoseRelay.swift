internal import Parameters
public import Pose

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
