internal import Foundation
public import Tracking

/// Poses as they came from a tracker, and where the head really was.
public struct TrackerRecording: Sendable {
    public struct Pose: Sendable {
        public var quaternion: SIMD4<Float>
        /// Seconds.
        public var received: Double
        /// Seconds, on the same clock; nil when the tracker does not say.
        public var taken: Double?
    }

    public let name: String
    public let poses: [Pose]
    /// w x y z, at a time in seconds.
    public let truth: @Sendable (Double) -> SIMD4<Float>

    init(name: String, poses: [Pose], truth: @escaping @Sendable (Double) -> SIMD4<Float>) {
        self.name = name
        self.poses = poses
        self.truth = truth
    }

    /// A motion that somebody recorded. Nobody knows where the head really was: on the straight way from pose to pose,
    /// then, trembling with the tracker.
    public init(name: String, track: MotionTrack) {
        self.init(
            name: name,
            poses: track.moments.map { Pose(quaternion: track.quaternion(at: $0), received: $0, taken: nil) },
            truth: { track.quaternion(at: $0) })
    }

    init(name: String, _ motion: HeadMotion, _ tracker: TrackerModel, seconds: Double, _ random: inout SeededRandom) {
        self.init(name: name, poses: tracker.poses(of: motion, seconds: seconds, &random)) { time in
            let angles = SIMD3<Float>(motion(time))
            return Orientation.quaternion(yaw: angles.x, pitch: angles.y, roll: angles.z)
        }
    }

    /// As a motion file, whose times are those at which poses were received.
    public var csv: String {
        poses.reduce(into: MotionTrack.header + "\n") { text, pose in
            let (yaw, pitch, roll) = Orientation.angles(pose.quaternion)
            text += String(format: "%.6f,%.4f,%.4f,%.4f\n", pose.taken ?? pose.received, yaw, pitch, roll)
        }
    }
}
