import Effects
import Foundation
import Parameters
import Rack
import Session
import TestSupport
import Testing

/// Racks of version 1, in which effects had a mix of their own.
@Suite struct RackMigrationTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path("file.json") }

    func slot(_ json: String) throws -> RackDescription.Slot {
        try RackFile.parse(#"{"version": 1, "slots": [\#(json)]}"#, path: "a.json").slots[0]
    }

    /// Effect relative to the dry sound, dB, under equal power.
    func balance(_ share: Float) -> Double { 20 * log10(tan(Double(share) * .pi / 2)) }

    /// Equal power, saved by the program (with a number) or written by hand: the balance in dB is that of the shares that were
    /// meant, the product of both where the program saved them.
    @Test(arguments: [
        (#"{"effect": "reverb", "slot": 1, "mix": 0.45}"#, 0.45 * 0.25),
        (#"{"effect": "reverb", "mix": 0.45}"#, 0.45),
        (#"{"effect": "reverb", "slot": 1}"#, 0.25),
        (#"{"effect": "reverb"}"#, 0.25),
        (#"{"effect": "reverb", "parameters": {"mix": 0.6}}"#, 0.6),
        (#"{"effect": "reverb", "mix": 0.5, "parameters": {"mix": 0.6}}"#, 0.3),
        (#"{"effect": "delay", "slot": 3, "mix": 0.5, "parameters": {"mix": 0.8}}"#, 0.4),
        (#"{"effect": "delay", "mix": 0.3}"#, 0.3),
        (#"{"effect": "convolution", "slot": 1, "parameters": {"mix": 0.1}}"#, 0.1),
        (#"{"effect": "chorus", "slot": 1, "mix": 0.6}"#, 0.3),
        (#"{"effect": "pitch-shift", "slot": 1, "mix": 0.6, "parameters": {"mix": 0.5}}"#, 0.3),
    ])
    func equalPowerKeepsTheBalance(_ json: String, _ share: Double) throws {
        let expected = 20 * log10(share / (1 - share))
        #expect(try abs(balance(slot(json).mix) - expected) < 1e-3, "\(json)")
    }

    @Test(arguments: [
        (#"{"effect": "phaser", "slot": 1, "mix": 0.5}"#, Float(0.25)),
        (#"{"effect": "phaser", "mix": 0.5}"#, 0.5),
        (#"{"effect": "flanger", "slot": 1, "mix": 0.5, "parameters": {"mix": 0.8}}"#, 0.4),
        (#"{"effect": "overdrive", "slot": 1, "mix": 0.5}"#, 0.5),
        (#"{"effect": "overdrive", "parameters": {"mix": 0.25}}"#, 0.25),
        (#"{"effect": "compressor", "slot": 1, "mix": 0.5}"#, 0.5),
        (#"{"effect": "vibrato", "mix": 0.25}"#, 0.25),
        (#"{"effect": "gate"}"#, 1),
    ])
    func linearIsTheProduct(_ json: String, _ share: Float) throws { #expect(try abs(slot(json).mix - share) < 1e-6, "\(json)") }

    @Test(arguments: ["delay", "reverb", "convolution", "chorus", "pitch-shift", "phaser", "flanger", "overdrive"])
    func endsStayEnds(_ effect: String) throws {
        #expect(try slot(#"{"effect": "\#(effect)", "mix": 1, "parameters": {"mix": 1}}"#).mix == 1)
        #expect(try slot(#"{"effect": "\#(effect)", "slot": 1, "mix": 0}"#).mix == 0)
        #expect(try slot(#"{"effect": "\#(effect)", "slot": 1, "parameters": {"mix": 0}}"#).mix == 0)
    }

    /// Racks in a session and in its scenes; what is written has the current version and comes back the same.
    @Test func sessionsAndScenesAreMigrated() throws {
        let rack = #"{"version": 1, "slots": [{"effect": "reverb", "slot": 1, "mix": 0.5, "parameters": {"mix": 0.8, "decay": 3}}]}"#
        let text = #"""
            {"version": 2, "parameters": {}, "racks": {"recording": \#(rack)},
             "scenes": [{"name": "a", "parameters": {}, "racks": {"listener/1": \#(rack)}}]}
            """#
        let tree = ParameterTree(ofAnySession: ["nearest"])
        let session = try SessionFile.parse(text, path: "/s.json", tree)
        let racks = try [#require(session.snapshot.racks["recording"]), #require(session.scenes[0].snapshot.racks["listener/1"])]
        for rack in racks {
            #expect(abs(balance(rack.slots[0].mix) - 20 * log10(0.4 / 0.6)) < 1e-3)
            #expect(rack.slots[0].values[0] == 3 && rack.slots[0].unknownParameters.isEmpty)
        }
        try session.write(path)
        #expect(try SessionFile.read(path, tree) == session)
        let written = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!written.contains("\"version\" : 1"))
    }

    /// The wet/dry that an effect begins with is not written, any other is.
    @Test func writtenRacksComeBack() throws {
        var rack = RackDescription([.slot(.init(.reverb)), .slot(.init(.phaser)), .slot(.init(.gate)), .slot(.init(.delay))])
        if case .slot(var slot) = rack.places[3] {
            slot.mix = 1
            rack.places[3] = .slot(slot)
        }
        try RackFile.write(rack, title: "", to: path)
        let again = try RackFile.read(path)
        #expect(again.slots.map(\.mix) == [0.25, 0.5, 1, 1])
    }
}
