internal import DSP
internal import Foundation
internal import Pose

/// Model of a tracker: its rate, its noise, and its transmission.
struct TrackerModel: Sendable {
    /// Poses per second.
    var rate: Double
    /// Standard deviation of the noise on each axis in degrees.
    var noise: Double
    /// Exponentially distributed delay of poses: mean and standard deviation in milliseconds.
    var jitter: Double
    /// Share of lost poses.
    var loss = 0.0
    /// Whether poses carry the time at which they were taken.
    var isTagged = false

    func poses(of motion: HeadMotion, seconds: Double, _ random: inout SeededRandom) -> [TrackerRecording.Pose] {
        var poses: [TrackerRecording.Pose] = []
        var received = 0.0
        for i in 0..<Int(clamping: seconds * rate) {
            let time = Double(i) / rate
            let tremble = SIMD3(random.normal(), random.normal(), random.normal()) * noise
            let angles = SIMD3<Float>(motion(time) + tremble)
            // Poses never overtake each other.
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
