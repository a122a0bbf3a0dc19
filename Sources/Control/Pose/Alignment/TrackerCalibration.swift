internal import Glibc

/// Finds a tracker's axes, signs and mount from three gestures: looking ahead, to the left, up.
///
/// For a tracker that sends angles, each gesture shows which angle changes and in which direction. Roll is the remaining
/// angle, with the sign of the profile. For one that sends quaternions, the gestures give two axes, and the third follows.
public struct TrackerCalibration: Sendable, Equatable {
    public let map: AxisMap
    /// w x y z, as ``TrackerSettings/mount``.
    public let mount: SIMD4<Double>
    /// Degrees, as ``TrackerSettings/centre``.
    public let centre: Double

    /// Minimum turn of a gesture in degrees.
    static let minimumTurn = 15.0
    /// Cosine of 35 degrees, the maximum angle between a gesture's axis and an axis of the tracker.
    private static let nearness = 0.82
    /// Difference in degrees up to which the tracker's front is taken for the user's.
    private static let snap = 20.0

    /// - Parameters:
    ///   - form: in which the tracker sends.
    ///   - ahead, left, up: the tracker's orientations before axis mapping, w x y z.
    /// - Throws: ``CalibrationFault``.
    public init(
        form: TrackerForm, ahead: SIMD4<Float>, left: SIMD4<Float>, up: SIMD4<Float>
    ) throws(CalibrationFault) {
        guard form.hasYaw else { throw .noYaw }
        let poses = [ahead, left, up].map { SIMD4<Double>($0) }
        if form.isQuaternion {
            try self.init(quaternions: poses)
        } else {
            try self.init(angles: poses, form)
        }
    }

    private init(angles poses: [SIMD4<Double>], _ form: TrackerForm) throws(CalibrationFault) {
        let isScene = form.meaning == .scene
        let angles = poses.map { form.order.angles(isScene ? Rotation.inverse($0) : $0) * (180 / .pi) }
        func turn(_ index: Int) -> SIMD3<Double> {
            let turn = angles[index] - angles[0]
            return SIMD3(Self.wrap(turn.x), Self.wrap(turn.y), Self.wrap(turn.z)) * (isScene ? -1 : 1)
        }
        func largest(_ turn: SIMD3<Double>, besides taken: Int?) -> Int {
            (0..<3).filter { $0 != taken }.max { abs(turn[$0]) < abs(turn[$1]) } ?? 0
        }
        let (left, up) = (turn(1), turn(2))
        let yaw = largest(left, besides: nil)
        guard abs(left[yaw]) >= Self.minimumTurn else { throw .smallTurn("left", abs(left[yaw])) }
        guard largest(up, besides: nil) != yaw else { throw .sameAxis }
        let pitch = largest(up, besides: yaw)
        guard abs(up[pitch]) >= Self.minimumTurn else { throw .smallTurn("up", abs(up[pitch])) }
        let roll = 3 - yaw - pitch
        let order = AxisMap.Order.allCases.first { $0.sources == [yaw, pitch, roll] } ?? .yawPitchRoll
        map = AxisMap(order, yaw: left[yaw] < 0, pitch: up[pitch] < 0)
        let written = form.order.quaternion(map.angles(angles[0] * (.pi / 180)))
        let ahead = isScene ? Rotation.inverse(written) : written
        centre = TrackerAlignment.yaw(ahead)
        mount = Rotation.inverse(Rotation.product(Rotation.about(2, -centre * .pi / 180), ahead))
    }

    private init(quaternions poses: [SIMD4<Double>]) throws(CalibrationFault) {
        func turn(_ index: Int) -> (degrees: Double, axis: SIMD3<Double>) {
            Rotation.angleAndAxis(Rotation.product(poses[index], Rotation.inverse(poses[0])))
        }
        let (left, up) = (turn(1), turn(2))
        guard left.degrees >= Self.minimumTurn else { throw .smallTurn("left", left.degrees) }
        guard up.degrees >= Self.minimumTurn else { throw .smallTurn("up", up.degrees) }
        guard abs((left.axis * up.axis).sum()) < 0.7 else { throw .sameAxis }
        // Gravity determines the tracker's vertical axis. Its front is arbitrary.
        let upright = AxisMap.all.filter { $0.isRightHanded && $0.axis(left.axis).z > Self.nearness }
        func heading(_ map: AxisMap) -> Double {
            let axis = map.axis(up.axis)
            // Looking up is a positive turn about the axis that points right.
            return Self.wrap(atan2(axis.y, axis.x) * 180 / .pi + 90)
        }
        guard let nearest = upright.min(by: { abs(heading($0)) < abs(heading($1)) }) else { throw .askew("left") }
        map = upright.contains(.identity) ? .identity : nearest
        let ahead = map.quaternion(poses[0])
        let own = TrackerAlignment.yaw(ahead)
        let found = heading(map)
        centre = abs(Self.wrap(found - own)) < Self.snap ? own : found
        mount = Rotation.inverse(Rotation.product(Rotation.about(2, -centre * .pi / 180), ahead))
    }

    /// Wraps an angle to -180 to 180 degrees.
    private static func wrap(_ degrees: Double) -> Double { degrees - 360 * (degrees / 360).rounded() }
}

/// Reason for a failed calibration, described for the user.
public enum CalibrationFault: Error, Equatable, Sendable, CustomStringConvertible {
    case noYaw
    /// Degrees.
    case smallTurn(String, Double)
    case askew(String)
    case sameAxis
    case tooLong(String)
    case silent

    public var description: String {
        switch self {
        case .noYaw: "this tracker reports only tilt, not direction, and cannot be calibrated"
        case .smallTurn(let step, let degrees):
            "looking \(step) turned the tracker by only \(Int(clamping: degrees.rounded())) degrees; turn by 45 degrees or more"
        case .askew(let step):
            "looking \(step) did not turn the tracker about a single axis; turn straight \(step) without tilting your head"
        case .sameAxis: "looking left and looking up turned the tracker about the same axis; start again"
        case .tooLong(let step): "no still pose was detected while looking \(step); start again"
        case .silent: "no poses were received from the tracker; check that it is switched on"
        }
    }
}
