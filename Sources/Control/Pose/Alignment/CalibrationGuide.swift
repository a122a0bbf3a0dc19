/// Guides the user through a calibration by observing the tracker; no button is needed.
public struct CalibrationGuide: Sendable {
    public enum Step: Sendable, Equatable { case ahead, left, up }

    /// The gesture that is expected now.
    public private(set) var step = Step.ahead
    private let form: TrackerForm
    private var poses: [SIMD4<Double>] = []
    /// The resting pose and the time since which it has been held.
    private var rest: (pose: SIMD4<Double>, since: UInt64)?
    private var stepBegan: UInt64

    /// Nanoseconds for which a gesture must be held.
    private static let hold: UInt64 = 700_000_000
    /// Maximum nanoseconds for one gesture.
    private static let timeout: UInt64 = 20_000_000_000
    /// Movement in degrees that still counts as holding still.
    private static let tremor = 2.5
    /// Minimum turn of a gesture away from straight ahead, in degrees.
    private static let left = 25.0
    private static let up = 15.0

    /// - Parameters:
    ///   - form: the form in which the tracker sends.
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    public init(form: TrackerForm, now: UInt64) {
        self.form = form
        stepBegan = now
    }

    /// Instruction for the user.
    public var words: String {
        switch step {
        case .ahead: "Look straight ahead and hold still."
        case .left: "Turn your head to the left, 45 degrees or more, and hold still."
        case .up: "Look ahead again, then up, and hold still."
        }
    }

    /// - Parameters:
    ///   - pose: the tracker's orientation before axis mapping, w x y z.
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: the calibration after the last gesture; nil before.
    /// - Throws: ``CalibrationFault``.
    public mutating func watch(_ pose: SIMD4<Float>, now: UInt64) throws(CalibrationFault) -> TrackerCalibration? {
        let pose = SIMD4<Double>(pose)
        guard now - min(now, stepBegan) < Self.timeout else { throw .tooLong(name) }
        guard let rest, Rotation.degrees(rest.pose, pose) < Self.tremor else {
            self.rest = (pose, now)
            return nil
        }
        guard now - min(now, max(rest.since, stepBegan)) >= Self.hold, isGesture(pose) else { return nil }
        poses.append(pose)
        stepBegan = now
        switch step {
        case .ahead: step = .left
        case .left: step = .up
        case .up:
            let seen = poses.map { SIMD4<Float>($0) }
            return try TrackerCalibration(form: form, ahead: seen[0], left: seen[1], up: seen[2])
        }
        return nil
    }

    private var name: String {
        switch step {
        case .ahead: "ahead"
        case .left: "left"
        case .up: "up"
        }
    }

    private func isGesture(_ pose: SIMD4<Double>) -> Bool {
        guard let ahead = poses.first else { return true }
        let (degrees, axis) = Rotation.angleAndAxis(Rotation.product(pose, Rotation.inverse(ahead)))
        guard poses.count == 2 else { return degrees > Self.left }
        let (_, left) = Rotation.angleAndAxis(Rotation.product(poses[1], Rotation.inverse(ahead)))
        // A turn about the axis of the previous gesture means that the head still looks left, or back to the right.
        return degrees > Self.up && abs((axis * left).sum()) < 0.5
    }
}
