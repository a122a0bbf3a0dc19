import Foundation
import Parameters
import Testing

@testable import Pose

/// Packets of serial lines, MIDI and Bluetooth, written by hand from the devices' specifications.
@Suite struct DevicePacketTests {
    func read(_ name: String, _ bytes: [UInt8]) throws -> TrackerReading {
        var reader = TrackerReader(try #require(TrackerProfile.named(name)))
        return bytes.withUnsafeBytes { reader.read(datagram: $0) }
    }

    func read(_ name: String, _ text: String) throws -> TrackerReading { try read(name, Array(text.utf8)) }

    func expect(
        _ reading: TrackerReading, _ yaw: Float, _ pitch: Float, _ roll: Float, within: Double = 0.01,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let pose = try #require(reading.pose, sourceLocation: location)
        let error = TrackerProfileTests.degrees(pose, Orientation.quaternion(yaw: yaw, pitch: pitch, roll: roll))
        #expect(error < within, "\(Orientation.angles(pose))", sourceLocation: location)
    }

    @Test func textLinesOfAnyBoardAreRead() throws {
        for line in ["30,20,10", "30.0 20.0 10.0", "Y:30.00 P:20.00 R:10.00", "  +30;\t20 ; 1e1  ", "ypr\t30\t20\t10"] {
            try expect(try read("serial-ypr", line), 30, 20, 10)
        }
        try expect(try read("serial-quaternion", "0.7071,0,0,0.7071"), 90, 0, 0)
        try expect(try read("serial-quaternion", "quat: w=1 x=0 y=0 z=-1"), -90, 0, 0)
        for line in ["", "30,20", "30,20,10,5", "hello", "1.2.3,4,5", "--1,2,3", "nan,nan,nan", "1e999,0,0", "+,-,."] {
            let reading = try read("serial-ypr", line)
            #expect(reading.pose == nil && reading.problem != nil, "\(line)")
        }
        #expect(try read("serial-quaternion", "0,0,0,0").problem == .noRotation)
    }

    @Test func eighteenCharacterRowsAreRead() throws {
        // The chip's heading increases to the right.
        try expect(try read("bno055", "-030.0+020.0+010.0"), 30, 20, 10)
        try expect(try read("bno055", "-30.00+20.00 10.00"), 30, 20, 10)
        try expect(try read("bno055", "   -30   +20   +10"), 30, 20, 10)
        for row in ["030.0+020.0+010.0-", "-030.0+020.0+010.", "-03a.0+020.0+010.0", "      +020.0+010.0", "-030.0+020.0+010.00"] {
            #expect(try read("bno055", row).pose == nil, "\(row)")
        }
    }

    /// Source: the manufacturer's Tracker.h: F0 00 21 42 40 kind, Q2.11 numbers of 14 bits, F7.
    @Test func supperwareMessagesAreRead() throws {
        func number(_ value: Double) -> [UInt8] {
            let bits = Int((value * 2048).rounded()) & 0x3FFF
            return [UInt8(bits >> 7), UInt8(bits & 0x7F)]
        }
        let s = 0.5.squareRoot()
        func quaternion(_ w: Double, _ x: Double, _ y: Double, _ z: Double) throws -> TrackerReading {
            try read("supperware", [0x00, 0x21, 0x42, 0x40, 0x01] + number(w) + number(x) + number(y) + number(z))
        }
        // x right, y front, z up.
        try expect(try quaternion(s, 0, 0, s), 90, 0, 0, within: 0.1)
        try expect(try quaternion(s, s, 0, 0), 0, 90, 0, within: 0.1)
        try expect(try quaternion(s, 0, s, 0), 0, 0, 90, within: 0.1)
        try expect(try quaternion(-s, 0, 0, s), -90, 0, 0, within: 0.1)
        let angles = [0x00, 0x21, 0x42, 0x40, 0x00] + number(0.5) + number(-0.25) + number(0.125)
        let degrees = 180 / Float.pi
        try expect(try read("supperware", angles), 0.5 * degrees, -0.25 * degrees, 0.125 * degrees, within: 0.05)
        // Replies with its state and truncated messages are not poses.
        for other in [[0x00, 0x21, 0x42, 0x42, 0x03, 0x10], [0x00, 0x21, 0x42, 0x40, 0x01, 0x10], [], [0x7E]] as [[UInt8]] {
            #expect(try read("supperware", other).pose == nil)
        }
    }

    /// (MSB * 128 + LSB) / 8192 - 1, w x y z; front-left-up is (w, -x, -y, z).
    @Test func mrHeadTrackerControllersAreRead() throws {
        func number(_ value: Double) -> [UInt8] {
            let bits = Int(((value + 1) * 8192).rounded())
            return [UInt8(min(bits, 16_383) >> 7), UInt8(min(bits, 16_383) & 0x7F)]
        }
        let s = 0.5.squareRoot()
        try expect(try read("mrheadtracker", number(s) + number(0) + number(0) + number(s)), 90, 0, 0, within: 0.1)
        try expect(try read("mrheadtracker", number(s) + number(0) + number(s) + number(0)), 0, 90, 0, within: 0.1)
    }

    @Test func binaryNumbersInAnyLayoutAreRead() throws {
        func profile(_ form: String) throws -> TrackerProfile {
            let json = #"""
                {"name": "mine", "transport": "bluetooth", "characteristic": "6e400003-b5a3-f393-e0a9-e50e24dcca9e", "forms": [\#(form)]}
                """#
            return try JSONDecoder().decode(TrackerProfile.self, from: Data(json.utf8))
        }
        func read(_ form: String, _ bytes: [UInt8]) throws -> TrackerReading {
            var reader = TrackerReader(try profile(form))
            return bytes.withUnsafeBytes { reader.read(datagram: $0) }
        }
        // A counter of two bytes, then x y z w in 16384ths.
        let sixteen = #"{"layout": ["x", "y", "z", "w"], "datagram": "int16-le", "offset": 2, "scale": 0.00006103515625}"#
        try expect(try read(sixteen, [7, 7, 0, 0, 0, 0, 0, 0x40, 0, 0x40]), 90, 0, 0)
        #expect(try read(sixteen, [7, 7, 0, 0, 0, 0, 0, 0x40, 0]).pose == nil)
        // Hundredths of a degree, the upper byte first.
        let hundredths = #"{"layout": ["yaw", "number", "pitch"], "datagram": "int16-be", "scale": 0.01}"#
        try expect(try read(hundredths, [0x0B, 0xB8, 9, 9, 0xF8, 0x30]), 30, -20, 0)
        let floats = #"{"layout": ["yaw"], "datagram": "float32-be", "unit": "radians"}"#
        try expect(try read(floats, [0x3F, 0, 0, 0]), 90 / .pi, 0, 0)
        #expect(try read(floats, [0x7F, 0xC0, 0, 0]).problem == .notFinite)
        for wrong in [
            #"{"layout": ["yaw"], "datagram": "int16-le", "scale": 0}"#, #"{"layout": ["yaw"], "datagram": "int16-le", "offset": -1}"#,
            #"{"layout": ["yaw"], "datagram": "int17"}"#, #"{"layout": ["yaw", "text"], "datagram": "line"}"#,
            #"{"addresses": ["/a"], "layout": ["yaw"]}"#,
        ] {
            #expect(throws: DecodingError.self) { try profile(wrong) }
        }
    }
}
