internal import Parameters
public import Pose

/// Sends a listener's poses to another program in the format of a tracker profile.
///
/// Used on the control thread only.
public final class PoseRelay {
    private let writer: TrackerWriter
    private let sender: DatagramSender
    private var last: SIMD4<Float>?

    /// - Throws: ``OSCReceiverError`` when the host name cannot be resolved.
    public init(_ profile: TrackerProfile, host: String, port: UInt16) throws(OSCReceiverError) {
        writer = TrackerWriter(profile)
        sender = try DatagramSender(host: host, port: port)
    }

    /// Sends a pose if it differs from the previous one.
    ///
    /// - Parameters:
    ///   - quaternion: w x y z, head to world.
    ///   - front: yaw in degrees that counts as straight ahead and is sent as 0.
    public func send(_ quaternion: SIMD4<Float>, front: Float) {
        let head = Orientation.turned(quaternion, yaw: -front)
        guard head != last else { return }
        last = head
        for packet in writer.packets(head) {
            switch packet {
            case .message(let address, let arguments): sender.send(OSCPacket.bytes(address, arguments))
            case .datagram(let bytes): sender.send(bytes)
            }
        }
    }
}
