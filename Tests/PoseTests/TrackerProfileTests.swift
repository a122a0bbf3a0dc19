import DSP
import Foundation
import Parameters
import Pose
import TestSupport
import Testing

/// Round trips of every profile, and rules of the table.
@Suite struct TrackerProfileTests {
    /// Angle between two orientations in degrees, accurate for small ones as well.
    static func degrees(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Double {
        let (a, b) = (SIMD4<Double>(a), SIMD4<Double>(b))
        func length(_ v: SIMD4<Double>) -> Double { (v * v).sum().squareRoot() }
        return 4 * atan2(min(length(a - b), length(a + b)), max(length(a - b), length(a + b))) * 180 / .pi
    }

    static func poses(_ count: Int, seed: UInt64) -> [SIMD4<Float>] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            var q = SIMD4<Double>.zero
            repeat {
                for i in 0..<4 { q[i] = Double.random(in: -1...1, using: &random) }
            } while (q * q).sum() > 1 || (q * q).sum() < 0.01
            return SIMD4<Float>(q / (q * q).sum().squareRoot())
        }
    }

    /// Result of reading the packets of a writer.
    static func roundTrip(_ pose: SIMD4<Float>, _ profile: TrackerProfile, form: Int) -> SIMD4<Float>? {
        var reader = TrackerReader(profile)
        var last: SIMD4<Float>?
        for packet in TrackerWriter(profile, form: form).packets(pose) {
            switch packet {
            case .message(let address, let arguments):
                last = reader.read(address: address, arguments: arguments, now: 1).pose ?? last
            case .datagram(let bytes):
                last = bytes.withUnsafeBytes { reader.read(datagram: $0).pose }
            }
        }
        return last
    }

    @Test func everyProfileRoundTrips() {
        let seed = SeededRandom.seed()
        var worst = 0.0
        // Angles are most difficult straight up and straight down.
        let poles = [Float(90), -90, 89.999, -89.99].flatMap { pitch in
            [Float(0), 77, -180].map { Orientation.quaternion(yaw: $0, pitch: pitch, roll: 33) }
        }
        for profile in TrackerProfile.table where profile.transport != .web {
            for form in profile.forms.indices {
                // At the poles only the sum of two angles matters, and their rounding adds up.
                for whole in Self.poses(500, seed: seed) + poles {
                    // Formats without yaw preserve the tilt.
                    let angles = Orientation.angles(whole)
                    if !profile.forms[form].hasYaw, abs(angles.pitch) > 89 { continue }
                    let pose =
                        profile.forms[form].hasYaw
                        ? whole : Orientation.quaternion(yaw: 0, pitch: angles.pitch, roll: angles.roll)
                    let back = Self.roundTrip(pose, profile, form: form)
                    let error = back.map { Self.degrees(pose, $0) } ?? .infinity
                    // Fields of six characters have tenths of a degree; MIDI has 11 to 13 fractional bits.
                    let isCoarse = [.eighteen, .controllers, .supperwareAngles, .supperwareQuaternion].contains(
                        profile.forms[form].datagram)
                    if !isCoarse { worst = max(worst, error) }
                    #expect(error < (isCoarse ? 0.2 : 0.01), "\(profile.name) form \(form), seed \(seed), pose \(pose)")
                }
            }
        }
        print("trackers out and in: worst \(worst) degrees, seed \(seed)")
    }

    @Test func everyEulerOrderRoundTrips() {
        for order in EulerOrder.allCases {
            for unit in [TrackerForm.Unit.degrees, .radians, .normalised] {
                for meaning in [TrackerForm.Meaning.head, .scene] {
                    let form = TrackerForm(
                        ["/a"], [.roll, .yaw, .pitch], unit: unit, negated: [.roll], order: order, meaning: meaning)
                    let profile = TrackerProfile("own", "own", port: nil, .general, "", [form])
                    for pose in Self.poses(100, seed: 7) {
                        let back = Self.roundTrip(pose, profile, form: 0)
                        #expect(back.map { Self.degrees(pose, $0) < 0.01 } == true, "\(order) \(unit) \(meaning) \(pose)")
                    }
                }
            }
        }
    }

    @Test func eulerOrdersApplyTurnsInSequence() {
        let yawFirst = EulerOrder.yawPitchRoll.quaternion(.init(0.5, 0.3, -0.2))
        let degrees = 180 / Float.pi
        let house = Orientation.quaternion(yaw: 0.5 * degrees, pitch: 0.3 * degrees, roll: -0.2 * degrees)
        #expect(Self.degrees(SIMD4<Float>(yawFirst), house) < 1e-4)
        let rollFirst = EulerOrder.rollPitchYaw.quaternion(.init(0.5, 0.3, -0.2))
        #expect(Self.degrees(SIMD4<Float>(rollFirst), house) > 5)
    }

    @Test func profileTableIsConsistent() throws {
        let names = TrackerProfile.table.map(\.name)
        #expect(Set(names).count == names.count)
        for profile in TrackerProfile.table {
            #expect(!profile.forms.isEmpty)
            #expect(profile.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(profile.name)")
            if profile.transport == .web { continue }
            let data = try JSONEncoder().encode(profile)
            #expect(try JSONDecoder().decode(TrackerProfile.self, from: data) == profile)
        }
        #expect(TrackerProfile.named("SPARTA")?.name == "sparta")
        #expect(TrackerProfile.named("nothing") == nil)
    }

    @Test func invalidProfilesAreRefusedWithAReason() throws {
        let folder = TemporaryFolder()
        let path = folder.path("profile.json")
        func error(_ json: String) throws -> TrackerProfileError {
            try Data(json.utf8).write(to: URL(filePath: path))
            return try #require(throws: TrackerProfileError.self) { try TrackerProfile(path: path) }
        }
        let form = #"{"addresses": ["/a"], "layout": ["yaw"]}"#
        #expect(throws: Never.self) {
            try Data(#"{"name": "mine", "forms": [\#(form)]}"#.utf8).write(to: URL(filePath: path))
            let profile = try TrackerProfile(path: path)
            #expect(profile.title == "mine" && profile.evidence == .general && profile.forms[0].hasYaw)
        }
        #expect(try error(#"{"name": "mine", "forms": []}"#).field == "forms")
        let misspelt = try error(#"{"name": "mine", "forms": [\#(form), {"addresses": ["/b"], "layuot": ["yaw"]}]}"#)
        #expect(misspelt.description.contains("layuot") && misspelt.description.contains("did you mean layout?"))
        #expect(try error(#"{"name": "mine", "forms": [{"addresses": ["/b"], "layout": ["jaw"]}]}"#).field == "forms[0].layout[0]")
        #expect(try error(#"{"name": "a:b", "forms": [\#(form)]}"#).reason.contains("colons"))
        #expect(try error(#"{"forms": [\#(form)]}"#).reason.contains("name"))
        #expect(try error("{").reason.contains("not JSON"))
        let missing = try #require(throws: TrackerProfileError.self) { try TrackerProfile(path: path + "x") }
        #expect(missing.remedy.contains("vestibule trackers"))
    }

    @Test func userProfileIsRead() throws {
        func profile(_ form: String) throws -> TrackerProfile {
            let json = #"{"name": "mine", "title": "Mine", "evidence": "general", "note": "", "forms": [\#(form)]}"#
            return try JSONDecoder().decode(TrackerProfile.self, from: Data(json.utf8))
        }
        let mine = try profile(#"{"addresses": ["/yaw", "/pitch"], "layout": ["yaw", "pitch"], "unit": "normalised", "negated": ["yaw"]}"#)
        var reader = TrackerReader(mine)
        #expect(reader.read(address: "/yaw", arguments: [.float(0.25)], now: 1).pose == nil)
        let reading = reader.read(address: "/pitch", arguments: [.float(0.625)], now: 2)
        let pose = try #require(reading.pose)
        #expect(Self.degrees(pose, Orientation.quaternion(yaw: 90, pitch: 45, roll: 0)) < 0.001)
        for wrong in [
            #"{"addresses": ["/a"], "layout": ["number"]}"#, #"{"addresses": ["/a"], "layout": ["w", "x", "y"]}"#,
            #"{"addresses": ["/a", "/b"], "layout": ["yaw", "pitch", "roll"]}"#,
            #"{"addresses": ["/a"], "layout": ["yaw", "yaw"]}"#, #"{"layout": ["yaw"], "datagram": "opentrack"}"#,
            #"{"addresses": ["/a"], "layout": ["w", "x", "y", "z"], "axes": ["x", "x", "z"]}"#,
            #"{"addresses": ["/a"], "layout": ["w", "x", "y", "z", "yaw"]}"#,
            #"{"addresses": ["/a"], "layout": ["gravity-x", "gravity-y"]}"#,
            #"{"addresses": ["/a"], "layout": ["yaw"], "negate": ["yaw"]}"#,
        ] {
            #expect(throws: DecodingError.self) { try profile(wrong) }
        }
    }
}
