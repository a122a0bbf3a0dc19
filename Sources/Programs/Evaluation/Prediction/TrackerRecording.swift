internal import DSP
internal import Foundation
public import Pose

/// Poses received from a tracker, with the actual orientation of the head.
public struct TrackerRecording: Sendable {
    public struct Pose: Sendable {
        public var quaternion: SIMD4<Float>
        /// Time of receipt in seconds.
        public var received: Double
        /// Time of capture in seconds, on the same clock; nil when the tracker does not report it.
        public var taken: Double?
    }

    public let name: String
    public let poses: [Pose]
    /// Actual orientation (w x y z) at a time in seconds.
    public let truth: @Sendable (Double) -> SIMD4<Float>

    init(name: String, poses: [Pose], truth: @escaping @Sendable (Double) -> SIMD4<Float>) {
        self.name = name
        self.poses = poses
        self.truth = truth
    }

    /// Makes a recording from a motion track. The actual orientation is unknown, so it is interpolated between the poses
    /// and includes the tracker's noise.
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

    /// Returns a motion file, with the times at which poses were received.
    public var csv: String {
        poses.reduce(into: MotionTrack.header + "\n") { text, pose in
            let (yaw, pitch, roll) = Orientation.angles(pose.quaternion)
            text += String(format: "%.6f,%.4f,%.4f,%.4f\n", pose.taken ?? pose.received, yaw, pitch, roll)
        }
    }
}
