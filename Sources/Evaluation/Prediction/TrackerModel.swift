internal import Foundation
internal import Tracking

/// What a tracker makes of a motion: how often it looks, how much it trembles, how it sends.
struct TrackerModel: Sendable {
    /// Hertz.
    var rate: Double
    /// Degrees, standard deviation on each axis.
    var noise: Double
    /// Milliseconds that poses are late, exponentially distributed: mean and standard deviation.
    var jitter: Double
    /// Share of poses that never arrive.
    var loss = 0.0
    /// Poses say when they were taken.
    var isTagged = false

    func poses(of motion: HeadMotion, seconds: Double, _ random: inout SeededRandom) -> [TrackerRecording.Pose] {
        var poses: [TrackerRecording.Pose] = []
        var received = 0.0
        for i in 0..<Int(seconds * rate) {
            let time = Double(i) / rate
            let tremble = SIMD3(random.normal(), random.normal(), random.normal()) * noise
            let angles = SIMD3<Float>(motion(time) + tremble)
            // What was sent later never overtakes.
            received = max(received, time - log(1 - random.unit()) * jitter / 1000)
            guard random.unit() >= loss else { continue }
            poses.append(
                .init(
                    quaternion: Orientation.quaternion(yaw: angles.x, pitch: angles.y, roll: angles.z),
                    received: received, taken: isTagged ? time : nil))
        }
        return poses
    }
}
