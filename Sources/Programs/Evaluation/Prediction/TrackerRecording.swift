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

extension TrackerRecording {
    /// Length of each shipped recording in seconds.
    private static let length = 20.0

    /// Returns synthetic recordings of head motion after published measurements, each with a model of a common tracker.
    /// The same seed gives the same recordings.
    ///
    /// * Pursuit: sines up to 1 Hz and pseudo-random sums of them, as in head tracking of targets (Gresty and
    ///   Leech, Aviation, Space and Environmental Medicine 48, 1977; Collins and Barnes, Journal of Physiology 515, 1999).
    /// * Turns: see `HeadTurns`; up to 500 degrees per second.
    /// * Shaking the head: 2.6 Hz, beyond 400 degrees per second; walking and running: pitch at twice the frequency of
    ///   yaw, 3.2 Hz when running, harmonics to 13 Hz, below 90 degrees per second (Grossman, Leigh, Abel, Lanska and
    ///   Thurston, Experimental Brain Research 70, 1988).
    /// * Tremor: essential 4 to 12 Hz, physiological 8 to 12 Hz (Deuschl, Bain and Brin, Movement Disorders 13 S3, 1998);
    ///   of the head it is rotation (Elble, Hellriegel, Raethjen and Deuschl, Movement Disorders Clinical Practice 4, 2016).
    /// * Trackers: cameras at 30 Hz, phones at 60, inertial sensors at 100 to 200, at 1000 in headsets (LaValle, Yershova,
    ///   Katsev and Antonov, ICRA 2014).
    public static func shipped(seed: UInt64 = 1) -> [TrackerRecording] {
        var stream: UInt64 = 0
        func record(
            _ name: String, _ tracker: TrackerModel, _ movement: (inout SeededRandom) -> HeadMotion
        ) -> TrackerRecording {
            stream += 1
            var random = SeededRandom(seed: seed, stream: stream)
            // A head is never completely still.
            let sway = HeadMotion.wander(SIMD3(0.4, 0.3, 0.2), 0.1...1, sines: 8, &random)
            let tremble = HeadMotion.tremor(SIMD3(0.02, 0.02, 0.01), 9, width: 1, &random)
            let motion = sway + tremble + movement(&random)
            return TrackerRecording(name: name, motion, tracker, seconds: length, &random)
        }
        func turns(_ turns: HeadTurns) -> (inout SeededRandom) -> HeadMotion {
            { turns.motion(seconds: length, &$0) }
        }
        return [
            record("pursuit, slow", .init(rate: 60, noise: 0.03, jitter: 1)) { _ in
                .swing(SIMD3(35, 5, 0), SIMD3(0.2, 0.13, 0))
            },
            record("pursuit, pseudo-random", .init(rate: 100, noise: 0.05, jitter: 0.5)) {
                .wander(SIMD3(20, 8, 3), 0.1...0.8, sines: 4, &$0)
            },
            record("pursuit, 1 Hz", .init(rate: 120, noise: 0.05, jitter: 0.5, isTagged: true)) { _ in
                .swing(SIMD3(18, 2, 0), SIMD3(1, 0.5, 0))
            },
            record(
                "turns, small", .init(rate: 100, noise: 0.03, jitter: 0.5),
                turns(HeadTurns(sizes: 5...40, rests: 0.2...1.2, limit: 70))),
            record(
                "turns, 500 degrees/s", .init(rate: 200, noise: 0.03, jitter: 0.3),
                turns(HeadTurns(sizes: 60...150, rests: 0.3...1.5, limit: 120))),
            record(
                "turns, camera at 30 Hz", .init(rate: 30, noise: 0.15, jitter: 2),
                turns(HeadTurns(sizes: 10...60, rests: 0.3...1.2, limit: 70))),
            record(
                "turns, headset at 1 kHz", .init(rate: 1000, noise: 0.03, jitter: 0.2, isTagged: true),
                turns(HeadTurns(sizes: 10...90, rests: 0.2...1, limit: 90))),
            record("shaking, 2.6 Hz", .init(rate: 100, noise: 0.05, jitter: 0.5)) { _ in
                .swing(SIMD3(25, 2, 1), SIMD3(2.6, 2.6, 2.6)).swelling(5)
            },
            record("nods and glances", .init(rate: 60, noise: 0.05, jitter: 2, loss: 0.01)) {
                .wander(SIMD3(4, 5, 2), 0.3...3, sines: 12, &$0)
            },
            record("walking", .init(rate: 100, noise: 0.05, jitter: 1)) {
                .tremor(SIMD3(4, 0, 1), 0.9, width: 0.03, &$0) + .tremor(SIMD3(0.5, 2.5, 0.5), 1.8, width: 0.06, &$0)
                    + .tremor(SIMD3(0.3, 0.6, 0.3), 3.6, width: 0.1, &$0)
            },
            record("running", .init(rate: 100, noise: 0.05, jitter: 1, loss: 0.02)) {
                .tremor(SIMD3(4, 0, 1), 1.6, width: 0.03, &$0) + .tremor(SIMD3(0.5, 2, 0.5), 3.2, width: 0.06, &$0)
                    + .tremor(SIMD3(0.2, 0.4, 0.2), 6.4, width: 0.1, &$0)
                    + .tremor(SIMD3(0.03, 0.08, 0.05), 12.8, width: 0.2, &$0)
            },
            record("at rest", .init(rate: 100, noise: 0.03, jitter: 0.5)) { _ in .swing(.zero, .zero) },
            record("tremor, essential, 5 Hz", .init(rate: 100, noise: 0.03, jitter: 0.5)) {
                .tremor(SIMD3(1, 0.4, 0.2), 5, width: 0.25, &$0)
            },
            record("tremor, fine, 8 Hz", .init(rate: 200, noise: 0.02, jitter: 0.2, isTagged: true)) {
                .tremor(SIMD3(0.15, 0.1, 0.05), 8, width: 1, &$0)
            },
        ]
    }
}
