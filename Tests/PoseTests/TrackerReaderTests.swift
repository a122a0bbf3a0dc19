import Parameters
import Pose
import Testing

/// Messages as documented for the trackers, and invalid messages.
@Suite struct TrackerReaderTests {
    func reader(_ name: String) throws -> TrackerReader { TrackerReader(try #require(TrackerProfile.named(name))) }

    /// Expects a head pose in Vestibule's degrees from one message.
    func expect(
        _ name: String, _ address: String, _ values: [Float], text: String? = nil, _ pose: (Float, Float, Float),
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        var reader = try reader(name)
        let arguments = (text.map { [Argument.string($0)] } ?? []) + values.map { .float($0) }
        let reading = reader.read(address: address, arguments: arguments, now: 1)
        let found = try #require(reading.pose, "\(name) \(address)", sourceLocation: location)
        let wanted = Orientation.quaternion(yaw: pose.0, pitch: pose.1, roll: pose.2)
        #expect(
            TrackerProfileTests.degrees(found, wanted) < 0.01, "\(name) \(address): \(Orientation.angles(found))",
            sourceLocation: location)
        #expect(reading.problem == nil, sourceLocation: location)
    }

    let s = Float(0.5).squareRoot()

    @Test func documentedDirections() throws {
        try expect("adm-osc", "/adm/lis/ypr", [30, 20, 10], (30, 20, 10))
        // A scene turned to the left is a head turned to the right; one axis at a time.
        try expect("iem", "/SceneRotator/ypr", [30, 0, 0], (-30, 0, 0))
        try expect("iem", "/SceneRotator/ypr", [0, 30, 0], (0, 30, 0))
        try expect("iem", "/SceneRotator/ypr", [0, 0, 30], (0, 0, -30))
        try expect("iem", "/SceneRotator/quaternions", [s, 0, 0, s], (-90, 0, 0))
        try expect("sparta", "/ypr", [30, -20, 10], (30, 20, 10))
        try expect("sparta", "/xyzypr", [1, 2, 3, 30, -20, 10], (30, 20, 10))
        try expect("sparta", "/quaternion", [s, 0, 0, s], (-90, 0, 0))
        try expect("ambix", "/rotation", [-20, 30, -10], (30, 20, 10))
        try expect("ambix", "/head_pose", [1, 0, 0, 0, -20, 30, -10], (30, 20, 10))
        try expect("mach1", "/orientation", [-30, 20, 10], (30, 20, 10))
        let radian = Float.pi / 180
        try expect(
            "berta", "/listener/orientation", [-30 * radian, 20 * radian, 10 * radian], text: "head1", (30, 20, 10))
        try expect("3dti", "/3DTI-OSC/receiver/pry", [20 * radian, 10 * radian, -30 * radian], (30, 20, 10))
        // Unity: a positive turn about y is to the right, about x down, about z raises the right ear.
        try expect("unity", "/quaternions", [s, 0, s, 0], (-90, 0, 0))
        try expect("unity", "/quaternions", [s, s, 0, 0], (0, -90, 0))
        try expect("unity", "/quaternions", [s, 0, 0, s], (0, 0, -90))
        try expect("vrchat", "/tracking/trackers/head/rotation", [-20, -30, -10], (30, 20, 10))
        try expect("nvsonic", "/bridge/quat", [s, 0, 0, s], (-90, 0, 0))
        // Qt's frame: x right, y up, z back.
        try expect("opentrack-osc", "/bridge/quat", [s, 0, s, 0], (90, 0, 0))
        try expect("opentrack-osc", "/bridge/quat", [s, s, 0, 0], (0, 90, 0))
        try expect("opentrack-osc", "/bridge/quat", [s, 0, 0, -s], (0, 0, 90))
        try expect("bridgehead", "/ypr", [30, 20, 10], (30, 20, 10))
        try expect("nxosc", "/nxosc/xyz", [-20, 30, -10], (30, 20, 10))
        try expect("headitude", "/SceneRotator/ypr", [30, -20, 10], (30, 20, 10))
        try expect("gyrosc", "/gyrosc/gyro", [20 * radian, 10 * radian, 30 * radian], (30, 20, 10))
        // Phones: x right, y front, z up.
        try expect("gyrosc", "/gyrosc/quat", [s, s, 0, 0], (0, 90, 0))
        try expect("zigsim", "/ZIGSIM/1f3c-22/quaternion", [0, 0, s, s], (90, 0, 0))
        try expect("zigsim", "/1f3c-22/quaternion", [0, s, 0, s], (0, 0, 90))
        try expect("sensors2osc", "/gamerotationvector", [s, 0, 0, s], (0, 90, 0))
        try expect("sensors2osc", "/gamerotationvector", [0, 0, s, s, 3], (90, 0, 0))
        try expect("sensors2osc", "/rotationvector", [0, s, 0, s], (0, 0, 90))
        try expect("iem", "SceneRotator/quaternions", [s, 0, 0, -s], (90, 0, 0))
        try expect("sparta", "/quat", [s, 0, 0, -s], (90, 0, 0))
        try expect("sparta", "/xyzquat", [1, 2, 3, s, 0, 0, -s], (90, 0, 0))
        try expect("ambix", "/quaternion", [s, 0, 0, s], (90, 0, 0))
        try expect("ambix", "/6dof", [1, 2, 3, s, 0, 0, s], (90, 0, 0))
        try expect("nxosc", "/nxosc/quaternion", [0, s, 0, s], (90, 0, 0))
        try expect("hedrot", "/hedrot/quaternion", [s, 0, 0, s], (90, 0, 0))
        try expect("bridgehead", "/quaternion", [s, 0, 0, s], (90, 0, 0))
        try expect("salte", "/rendering/htrpy", [10, 20, 30], (30, 20, 10))
        try expect("axrotate", "/ypr", [30, 20, 10], (30, 20, 10))
        try expect("tascar", "/head/zyxeuler", [30, -20, 10], (30, 20, 10))
        // The two other compositions of M1: 0 to 360 degrees, and across the back.
        try expect("mach1", "/orientation", [330, 0, 0], (30, 0, 0))
        try expect("adm-osc", "/adm/lis/ypr", [-181, 0, 0], (179, 0, 0))
    }

    /// Profiles with one axis per message, in the order in which their senders send.
    @Test func documentedSingleAxisMessages() throws {
        func expect(_ name: String, _ prefix: String, _ axes: [(String, Float)], _ pose: (Float, Float, Float)) throws {
            var reader = try reader(name)
            var found: SIMD4<Float>?
            for (axis, value) in axes {
                let reading = reader.read(address: prefix + axis, arguments: [.float(value)], now: 1)
                #expect(reading.isKnown && reading.problem == nil, "\(name) \(prefix)\(axis)")
                found = reading.pose
            }
            let wanted = Orientation.quaternion(yaw: pose.0, pitch: pose.1, roll: pose.2)
            let pose = try #require(found, "\(name)")
            #expect(TrackerProfileTests.degrees(pose, wanted) < 0.01, "\(name): \(Orientation.angles(pose))")
        }
        try expect("adm-osc", "/adm/lis/", [("yaw", 30), ("pitch", 20), ("roll", 10)], (30, 20, 10))
        try expect("iem", "/SceneRotator/", [("pitch", 0), ("roll", 0), ("yaw", 30)], (-30, 0, 0))
        try expect("iem", "/SceneRotator/", [("qw", s), ("qx", 0), ("qy", 0), ("qz", s)], (-90, 0, 0))
        try expect("sparta", "/", [("yaw", 30), ("pitch", -20), ("roll", 10)], (30, 20, 10))
        try expect("sparta", "/", [("qw", s), ("qx", 0), ("qy", 0), ("qz", -s)], (90, 0, 0))
        try expect("bridgehead", "/", [("yaw", 30), ("pitch", 20), ("roll", 10)], (30, 20, 10))
        try expect("hedrot", "/hedrot/", [("yaw", 30), ("pitch", 20), ("roll", 10)], (30, 20, 10))
        try expect("iem-encoder", "/StereoEncoder/", [("azimuth", 30), ("elevation", 20), ("roll", 10)], (30, 20, 10))
        try expect("ambi-head", "/", [("yaw", 0.75), ("pitch", 0.5), ("roll", 0.5)], (90, 0, 0))
    }

    /// The accelerometer of a phone that lies flat on the head gives the tilt; it cannot give the yaw.
    @Test func gravityGivesTiltWithoutYaw() throws {
        let profile = try #require(TrackerProfile.named("touchosc"))
        #expect(profile.forms.allSatisfy { !$0.hasYaw })
        // Level; the top of the phone raised by 30 degrees; its right edge lowered by 30 degrees; in any unit.
        let (half, rest) = (Float(0.5), Float(0.75).squareRoot())
        try expect("touchosc", "/accxyz", [0, 0, -1], (0, 0, 0))
        try expect("touchosc", "/accxyz", [0, -half, -rest], (0, 30, 0))
        try expect("touchosc", "/accxyz", [half * 9.81, 0, -rest * 9.81], (0, 0, 30))
        var touchOSC = try reader("touchosc")
        let falling = touchOSC.read(address: "/accxyz", arguments: [.float(0), .float(0), .float(0)], now: 1)
        #expect(falling.pose == nil && falling.problem == .noRotation)
        for other in TrackerProfile.table where other.name != "touchosc" {
            #expect(other.forms.allSatisfy { $0.hasYaw }, "\(other.name)")
        }
    }

    /// Negating three angles is exact for a single axis only; the inverse rotation is always exact.
    @Test func sceneRotationIsInvertedExactly() throws {
        var reader = try reader("iem")
        let reading = reader.read(
            address: "/SceneRotator/ypr", arguments: [.float(40), .float(30), .float(20)], now: 1)
        let pose = try #require(reading.pose)
        let scene = Orientation.quaternion(yaw: 40, pitch: -30, roll: 20)
        #expect(TrackerProfileTests.degrees(pose, SIMD4(scene[0], -scene[1], -scene[2], -scene[3])) < 0.001)
        #expect(TrackerProfileTests.degrees(pose, Orientation.quaternion(yaw: -40, pitch: 30, roll: -20)) > 5)
    }

    @Test func nonOSCDatagramsAreRead() throws {
        let wanted = Orientation.quaternion(yaw: 30, pitch: 20, roll: 10)
        func words(_ numbers: [Double]) -> [UInt8] {
            numbers.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian) { Array($0) } }
        }
        func words(_ numbers: [Float]) -> [UInt8] {
            numbers.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian) { Array($0) } }
        }
        let doubles: [UInt8] = words([1.0, 2, 3, 30, 20, 10] as [Double])
        var opentrack = try reader("opentrack")
        let whole = doubles.withUnsafeBytes { opentrack.read(datagram: $0) }
        let pose = try #require(whole.pose)
        #expect(TrackerProfileTests.degrees(pose, wanted) < 0.01)
        for count in [0, 1, 47, 49, 96] {
            let bytes = [UInt8](repeating: 0, count: count)
            #expect(bytes.withUnsafeBytes { opentrack.read(datagram: $0) }.problem == .datagram(length: count))
        }
        let broken: [UInt8] = words([1.0, 2, 3, 30, .nan, 10] as [Double])
        #expect(broken.withUnsafeBytes { opentrack.read(datagram: $0) }.problem == .notFinite)

        let radian = Float.pi / 180
        let turn = [30 * radian, 20 * radian, 10 * radian]
        let rest = [Float](repeating: 0.1, count: 9)
        for (flags, floats) in [(UInt8(2), turn + rest), (3, rest + turn)] {
            let bytes = [0, flags] + words(floats)
            var freePIE = try reader("freepie")
            let reading = bytes.withUnsafeBytes { freePIE.read(datagram: $0) }
            let pose = try #require(reading.pose)
            #expect(TrackerProfileTests.degrees(pose, wanted) < 0.01)
        }
    }

    @Test func commonSenderErrorsAreToleratedOrRefused() throws {
        var iem = try reader("iem")
        // Integers for floats, no slash, other capitals, a quaternion of any length.
        #expect(iem.read(address: "scenerotator/YPR", arguments: [.int(30), .int(0), .double(0)], now: 1).pose != nil)
        let long = iem.read(
            address: "/SceneRotator/quaternions", arguments: [.int(10), .int(0), .int(0), .int(10)], now: 1)
        let turned = try #require(long.pose)
        #expect(long.problem == .length(200.0.squareRoot()))
        #expect(abs((turned * turned).sum() - 1) < 1e-5)
        #expect(TrackerProfileTests.degrees(turned, Orientation.quaternion(yaw: -90, pitch: 0, roll: 0)) < 0.01)
        // The squares of large numbers are infinite, the rotation is not.
        let huge = iem.read(
            address: "/SceneRotator/quaternions", arguments: [.double(1e200), .double(0), .double(0), .double(1e200)], now: 1)
        #expect(TrackerProfileTests.degrees(try #require(huge.pose), turned) < 0.01)
        // Refused messages and their reasons.
        func problem(_ arguments: [Argument], _ address: String = "/SceneRotator/ypr") -> TrackerProblem? {
            let reading = iem.read(address: address, arguments: arguments, now: 1)
            #expect(reading.pose == nil)
            return reading.problem
        }
        #expect(problem([.float(.nan), .float(0), .float(0)]) == .notFinite)
        #expect(problem([.float(0), .float(-.infinity), .float(0)]) == .notFinite)
        #expect(problem([.float(0), .float(0)]) == .count(expected: 3, found: 2))
        #expect(problem([]) == .count(expected: 3, found: 0))
        #expect(problem([.float(0), .string("1"), .float(0)]) == .notANumber)
        #expect(problem([.int(0), .int(0), .int(0), .int(0)], "/SceneRotator/quaternions") == .noRotation)
        #expect(!iem.read(address: "/ypr", arguments: [.float(1)], now: 1).isKnown)
        #expect(!iem.read(address: "", arguments: [], now: 1).isKnown)
    }

    @Test func suspectedDegreesAreReportedButNotConverted() throws {
        var berta = try reader("berta")
        let reading = berta.read(
            address: "/listener/orientation", arguments: [.string("a"), .float(30), .float(0), .float(0)], now: 1)
        #expect(reading.problem == .degreesForRadians(30))
        let pose = try #require(reading.pose)
        let asDeclared = Orientation.quaternion(yaw: -30 * 180 / .pi, pitch: 0, roll: 0)
        #expect(TrackerProfileTests.degrees(pose, asDeclared) < 0.01)
    }

    @Test func singleAxesAreJoined() throws {
        var sparta = try reader("sparta")
        func send(_ axis: String, _ value: Float, at time: UInt64) -> SIMD4<Float>? {
            sparta.read(address: axis, arguments: [.float(value)], now: time).pose
        }
        let millisecond: UInt64 = 1_000_000
        #expect(send("/yaw", 30, at: 0) == nil)
        #expect(send("/pitch", -20, at: millisecond) == nil)
        let third = send("/roll", 10, at: 2 * millisecond)
        let whole = try #require(third)
        #expect(TrackerProfileTests.degrees(whole, Orientation.quaternion(yaw: 30, pitch: 20, roll: 10)) < 0.01)
        #expect(sparta.nextDue == nil)
        // One axis alone becomes a pose after 5 ms, with the previous values of the others.
        #expect(send("/yaw", 40, at: 10 * millisecond) == nil)
        #expect(sparta.nextDue == 15 * millisecond)
        #expect(sparta.release(now: 14 * millisecond) == nil)
        let released = sparta.release(now: 15 * millisecond)
        let alone = try #require(released)
        #expect(TrackerProfileTests.degrees(try #require(alone.pose), Orientation.quaternion(yaw: 40, pitch: 20, roll: 10)) < 0.01)
        #expect(sparta.release(now: 30 * millisecond) == nil)
        // A repeated axis completes the pose before it.
        #expect(send("/yaw", 50, at: 40 * millisecond) == nil)
        let again = send("/yaw", 60, at: 41 * millisecond)
        let before = try #require(again)
        #expect(TrackerProfileTests.degrees(before, Orientation.quaternion(yaw: 50, pitch: 20, roll: 10)) < 0.01)
    }

    /// A quaternion with a component that was never received is not a rotation.
    @Test func quaternionNeedsAllComponents() throws {
        var iem = try reader("iem")
        for (i, part) in ["qw", "qx", "qy"].enumerated() {
            let reading = iem.read(address: "/SceneRotator/\(part)", arguments: [.float(i == 0 ? s : 0)], now: 0)
            #expect(reading.pose == nil)
        }
        #expect(iem.release(now: 10_000_000) == nil)
        let last = iem.read(address: "/SceneRotator/qz", arguments: [.float(s)], now: 11_000_000)
        #expect(last.pose == nil)  // The other components are out of date.
        let released = iem.release(now: 16_000_000)
        let pose = try #require(released?.pose)
        #expect(TrackerProfileTests.degrees(pose, Orientation.quaternion(yaw: -90, pitch: 0, roll: 0)) < 0.01)
    }
}
