import DSP
import Foundation
import TestSupport
import Testing

@testable import Pose

/// A simulated person with a simulated tracker on the head: the gestures reveal the tracker's axes, whatever they are.
@Suite struct CalibrationTests {
    typealias Quaternion = SIMD4<Double>

    static func head(_ yaw: Double, _ pitch: Double, _ roll: Double = 0) -> Quaternion {
        EulerOrder.yawPitchRoll.quaternion(SIMD3(yaw, pitch, roll) * (.pi / 180))
    }

    /// The three gestures of a person, performed inexactly, and the poses to check afterwards.
    static let gestures = [head(0, 0), head(52, 3, -2), head(-4, 31, 2)]
    static let checks = [head(0, 0), head(60, 0), head(0, 40), head(0, 0, 35), head(-110, -25, 15), head(20, 30, -40)]

    func check(_ form: TrackerForm, within degrees: Double, _ tracker: (Quaternion) -> Quaternion, _ name: String) throws {
        func raw(_ head: Quaternion) -> SIMD4<Float> { SIMD4<Float>(tracker(head)) }
        let found = try TrackerCalibration(
            form: form, ahead: raw(Self.gestures[0]), left: raw(Self.gestures[1]), up: raw(Self.gestures[2]))
        var settings = TrackerSettings()
        (settings.map, settings.mount, settings.centre) = (found.map, found.mount, found.centre)
        var alignment = TrackerAlignment(settings)
        let scale = form.meaning == .scene
        for head in Self.checks {
            // As encoded in a packet of this form.
            let written = form.values(tracker(head))
            let mapped = try #require(form.orientation(written, found.map))
            let heard = alignment.head(SIMD4<Float>(mapped), now: 1)
            let error = Rotation.degrees(SIMD4<Double>(heard), head)
            #expect(error < degrees, "\(name) scene \(scale): \(found.map), \(error) degrees off at \(head)")
        }
    }

    /// A quaternion sensor with a gravity reference, worn in each of the 24 axis orientations and switched on at any
    /// heading.
    @Test func quaternionSensorsCalibrateInEveryPosition() throws {
        let form = TrackerForm(["/q"], [.w, .x, .y, .z])
        for axes in AxisMap.all where axes.isRightHanded {
            for boot in [0.0, 30, 95, -160] {
                for worn in [Self.head(0, 0), Self.head(90, 0), Self.head(0, 20, 70), Self.head(180, 0)] {
                    // The sensor's world is the room in other axes, turned about the vertical by its heading at the
                    // start.
                    func tracker(_ head: Quaternion) -> Quaternion {
                        let world = Rotation.product(Rotation.about(2, boot * .pi / 180), head)
                        let sensor = Rotation.product(world, worn)
                        return axes.quaternion(sensor)
                    }
                    // People do not nod exactly: a skewed gesture leaves an error of at most its own 8 degrees.
                    try check(form, within: 12, tracker, "\(axes), boot \(boot)")
                }
            }
        }
    }

    /// Exact gestures leave no error, except where the tracker's front is taken for the person's.
    @Test func exactGesturesLeaveNoError() throws {
        let form = TrackerForm(["/q"], [.w, .x, .y, .z])
        let worn = Self.head(40, 25, -60)
        func tracker(_ head: Quaternion) -> Quaternion { Rotation.product(Rotation.product(Self.head(100, 0), head), worn) }
        let raw = [Self.head(0, 0), Self.head(50, 0), Self.head(0, 30)].map { SIMD4<Float>(tracker($0)) }
        let found = try TrackerCalibration(form: form, ahead: raw[0], left: raw[1], up: raw[2])
        var settings = TrackerSettings()
        (settings.map, settings.mount, settings.centre) = (found.map, found.mount, found.centre)
        var alignment = TrackerAlignment(settings)
        for head in Self.checks {
            let heard = alignment.head(SIMD4<Float>(found.map.quaternion(tracker(head))), now: 1)
            #expect(Rotation.degrees(SIMD4<Double>(heard), head) < 0.01)
        }
    }

    /// A sender of angles in any order with any signs, for the head or for the scene.
    @Test func angleSendersCalibrateInEveryOrderAndSign() throws {
        for meaning in [TrackerForm.Meaning.head, .scene] {
            let form = TrackerForm(["/ypr"], [.yaw, .pitch, .roll], meaning: meaning)
            for map in AxisMap.all {
                // These gestures do not reveal the sign of roll: it comes from the profile.
                guard !map.invertsRoll else { continue }
                let inverse = try #require(
                    AxisMap.all.first { other in
                        (0..<3).allSatisfy {
                            var unit = SIMD3<Double>.zero
                            unit[$0] = 1
                            return map.angles(other.angles(unit)) == unit
                        }
                    })
                func tracker(_ head: Quaternion) -> Quaternion {
                    let written = meaning == .scene ? Rotation.inverse(head) : head
                    let sent = form.order.quaternion(inverse.angles(form.order.angles(written)))
                    return meaning == .scene ? Rotation.inverse(sent) : sent
                }
                let raw = [Self.head(0, 0), Self.head(50, 0), Self.head(0, 30)].map { SIMD4<Float>(tracker($0)) }
                let found = try TrackerCalibration(form: form, ahead: raw[0], left: raw[1], up: raw[2])
                #expect(found.map == map, "\(meaning): \(map), found \(found.map)")
            }
        }
    }

    @Test func invalidGesturesAreRefusedWithAReason() throws {
        let form = TrackerForm(["/q"], [.w, .x, .y, .z])
        func calibrate(_ left: Quaternion, _ up: Quaternion) throws -> TrackerCalibration {
            try TrackerCalibration(
                form: form, ahead: SIMD4(1, 0, 0, 0), left: SIMD4<Float>(left), up: SIMD4<Float>(up))
        }
        #expect(throws: CalibrationFault.self) { try calibrate(Self.head(5, 0), Self.head(0, 30)) }
        #expect(throws: CalibrationFault.self) { try calibrate(Self.head(50, 0), Self.head(0, 4)) }
        #expect(throws: CalibrationFault.sameAxis) { try calibrate(Self.head(50, 0), Self.head(-40, 0)) }
        #expect(throws: CalibrationFault.noYaw) {
            try TrackerCalibration(
                form: TrackerForm(["/a"], [.pitch, .roll]), ahead: SIMD4(1, 0, 0, 0), left: SIMD4(1, 0, 0, 0), up: SIMD4(1, 0, 0, 0))
        }
    }

    /// Thirty observations a second of a person who hesitates, trembles, and looks back in between.
    @Test func guideDetectsGesturesAutomatically() throws {
        let form = TrackerForm(["/q"], [.w, .x, .y, .z])
        var guide = CalibrationGuide(form: form, now: 0)
        var now: UInt64 = 0
        var found: TrackerCalibration?
        var random = SeededRandom(fixed: 11)
        func hold(_ head: Quaternion, seconds: Double) throws {
            for _ in 0..<Int(seconds * 30) where found == nil {
                now += 33_000_000
                let tremble = random.within(-0.5...0.5) as Double
                let seen = Rotation.product(head, Rotation.about(1, tremble * .pi / 180))
                found = try guide.watch(SIMD4<Float>(seen), now: now)
            }
        }
        try hold(Self.head(3, 0), seconds: 2)
        #expect(guide.step == .left)
        for yaw in stride(from: 3.0, to: 55, by: 2) { try hold(Self.head(yaw, 0), seconds: 0.05) }
        #expect(guide.step == .left)
        try hold(Self.head(55, 0), seconds: 1)
        #expect(guide.step == .up)
        // Looking back to the right, or ahead, does not count as looking up.
        try hold(Self.head(-40, 0), seconds: 1)
        try hold(Self.head(0, 0), seconds: 1)
        #expect(guide.step == .up && found == nil)
        try hold(Self.head(0, 35), seconds: 1)
        let calibration = try #require(found)
        #expect(calibration.map == .identity && abs(calibration.centre - 3) < 1)
        // Inactivity ends the calibration with an error.
        var idle = CalibrationGuide(form: form, now: 0)
        #expect(throws: CalibrationFault.tooLong("left")) {
            for i in 0..<2000 { _ = try idle.watch(SIMD4(1, 0, 0, 0), now: UInt64(i) * 33_000_000) }
        }
    }
}
