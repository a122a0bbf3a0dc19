import DSP
import Foundation
import MIDI
import TestSupport
import Testing

/// Text forms, ranges and curves of mappings.
@Suite struct MIDIMappingTests {
    @Test(arguments: [
        "cc 7 to /listener/1/gain",
        "cc 0 channel 16 to /rack/recording/slot/1/delay/time input 0.25 0.75 output 1 0 curve -0.5 toggle",
        "cc14 31 to /x", "note 127 channel 1 to /x toggle", "bend to /x curve 1", "pressure to /x output 0.5 0.5",
        "rpn 0 to /x", "nrpn 16382 channel 2 to /x toggle",
    ])
    func canonicalTextIsKept(_ text: String) throws {
        #expect("\(try MIDIMapping(text))" == text)
    }

    @Test func otherFormsBecomeCanonical() throws {
        #expect("\(try MIDIMapping("  cc 07\tto  /x  output 0 1 curve -0 input 0.0 1.0 "))" == "cc 7 to /x")
        #expect("\(try MIDIMapping("cc 1 to /x toggle curve .5 toggle"))" == "cc 1 to /x curve 0.5 toggle")
    }

    @Test(arguments: [
        "", "cc", "cc 120 to /x", "cc -1 to /x", "cc14 32 to /x", "note 128 to /x", "rpn 16383 to /x", "nrpn -1 to /x", "nrpn to /x",
        "knob 1 to /x", "cc 1", "cc 1 to", "cc 1 to x",
        "cc 1 to /", "cc 1 to /*", "cc 1 channel 0 to /x", "cc 1 channel 17 to /x", "cc 1 channel to /x", "cc 1 to /x input 0",
        "cc 1 to /x input 0 1.1", "cc 1 to /x output nan 1", "cc 1 to /x curve 2", "cc 1 to /x curve inf", "cc 1 to /x loud",
        "cc 1 to /ä", "cc 1 to /" + String(repeating: "x", count: 600),
    ])
    func wrongTextIsRefused(_ text: String) {
        #expect(throws: MIDIMappingError.self) { try MIDIMapping(text) }
    }

    /// Random mappings survive their text.
    @Test func textRoundTrip() throws {
        var random = SeededRandom()
        for _ in 0..<500 {
            let sources: [MIDIController] = [
                .control(UInt8(random.whole(0..<120))), .fineControl(UInt8(random.whole(0..<32))), .note(UInt8(random.whole(0..<128))),
                .bend, .pressure, .registered(UInt16(random.whole(0..<16383))), .unregistered(UInt16(random.whole(0..<16383))),
            ]
            var mapping = MIDIMapping(
                sources[random.whole(0..<sources.count)], channel: random.whole(0..<17), target: "/a/\(random.whole(0..<10))/b-c")
            mapping.input = .init(first: random.within(0...1), last: random.within(0...1))
            mapping.output = .init(first: random.within(0...1), last: random.within(0...1))
            mapping.curve = random.within(-1...1)
            mapping.isToggle = .random(using: &random)
            #expect(try MIDIMapping("\(mapping)") == mapping)
        }
    }

    @Test func ranges() throws {
        let mapping = try MIDIMapping("cc 1 to /x input 0.25 0.75 output 0.2 0.6")
        for (share, position) in [(0, 0.2), (0.25, 0.2), (0.5, 0.4), (0.75, 0.6), (1, 0.6)] as [(Float, Float)] {
            #expect(abs(mapping.position(share) - position) < 1e-6)
        }
        let reversed = try MIDIMapping("cc 1 to /x output 1 0")
        #expect(reversed.position(0) == 1 && reversed.position(1) == 0 && reversed.position(0.25) == 0.75)
        let turned = try MIDIMapping("cc 1 to /x input 1 0")
        #expect(turned.position(0) == 1 && turned.position(1) == 0)
        let step = try MIDIMapping("cc 1 to /x input 0.5 0.5")
        #expect(step.position(0.49) == 0 && step.position(0.5) == 1)
    }

    /// The curve is (e^(6cx) - 1) / (e^(6c) - 1): figures computed in double precision.
    @Test(arguments: [-1, -0.5, 0, 0.25, 1] as [Double])
    func curves(_ curve: Double) throws {
        let mapping = try MIDIMapping("cc 1 to /x curve \(curve)")
        let mirror = try MIDIMapping("cc 1 to /x curve \(-curve)")
        var last: Float = -1
        for step in 0...100 {
            let share = Double(step) / 100
            let wanted = curve == 0 ? share : (exp(6 * curve * share) - 1) / (exp(6 * curve) - 1)
            let position = mapping.position(Float(share))
            #expect(abs(Double(position) - wanted) < 1e-5)
            #expect(abs(position - (1 - mirror.position(1 - Float(share)))) < 1e-5)
            #expect(position > last)
            last = position
        }
        #expect(mapping.position(0) == 0 && mapping.position(1) == 1)
    }
}
