internal import CRealtime
internal import Hub
internal import RenderInterface

/// The newest rendered pose of each listener, and its age.
final class NewestPoses {
    private var poses: [PosesTopic.Pose] = []
    /// Times of receipt, CLOCK_MONOTONIC nanoseconds; 0 before the first pose.
    private var received: [UInt64] = []

    func keep(_ listeners: [TelemetryDelta.Listener]) {
        if poses.count != listeners.count {
            poses = .init(repeating: .init(quaternion: .init(1, 0, 0, 0), id: 0, age: -1), count: listeners.count)
            received = .init(repeating: 0, count: listeners.count)
        }
        for (index, listener) in listeners.enumerated() {
            guard let pose = listener.pose else { continue }
            poses[index] = .init(quaternion: pose.quaternion, id: pose.id, age: -1)
            received[index] = pose.id == 0 ? 0 : pose.receiveTime
        }
    }

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func readings(now: UInt64) -> [PosesTopic.Pose] {
        zip(poses, received).map { pose, time in
            var pose = pose
            if time > 0 { pose.age = Float(Double(now - min(now, time)) / 1e6) }
            return pose
        }
    }

    /// Seconds since the pose of each listener was received; nil before the first pose.
    var ages: [Double?] { readings(now: rt_now()).map { $0.age < 0 ? nil : Double($0.age) / 1000 } }
}
