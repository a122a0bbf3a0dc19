import Engine
import Foundation
import Hub
import Parameters
import Testing

/// Racks edited by clients during playback: effects, layouts, presets and files.
@Suite struct RackPlayTests {
    let folder: TestFolder
    let harness: EngineHarness
    let rack = "/rack/recording"

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder)
        try harness.start(playing: folder)
    }

    private func addClosedGate() {
        #expect(harness.send(rack + "/add", .string("gate")) == .done)
        #expect(harness.send(rack + "/slot/1/gate/threshold", .float(0)) == .done)
        harness.until("the gate closes") { harness.level().left < -80 }
    }

    @Test func anEffectIsHeardBypassedAndRemoved() {
        addClosedGate()
        #expect(harness.number(rack + "/slot/1/reduction") > 20)
        harness.send(rack + "/slot/1/bypass", .bool(true))
        harness.until("the bypass is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        harness.send(rack + "/slot/1/bypass", .bool(false))
        harness.until("the gate closes again") { harness.level().left < -80 }
        #expect(harness.send(rack + "/remove", .int(1)) == .done)
        harness.until("the effect is gone") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        #expect(harness.value(rack + "/slot/1/gate/threshold") == nil)
    }

    @Test func aLayoutPutsEffectsSideBySide() {
        addClosedGate()
        harness.send(rack + "/add", .string("gate"))
        #expect(harness.text(rack + "/layout") == "1 2")
        harness.send(rack + "/slot/2/gate/threshold", .float(-90))
        // One branch is silent, the other passes the tone at half its level.
        #expect(harness.send(rack + "/layout", .string("(1 | 2)")) == .done)
        harness.until("one of two branches is heard") { abs(harness.level().left - PlaybackTests.tone + 6.02) < 0.2 }
        harness.send(rack + "/branch/2/mix", .float(1))
        harness.until("the branch is heard in full") { abs(harness.level().left - PlaybackTests.tone) < 0.2 }
        #expect(harness.send(rack + "/layout", .string("1 3")).text != nil)
        #expect(harness.text(rack + "/layout") == "(1 | 2)")
    }

    @Test func aPresetIsLoadedAndAFileIsSaved() throws {
        addClosedGate()
        let file = folder.path("closed.json")
        #expect(harness.send(rack + "/save", .string(file)) == .done)
        #expect(harness.send(rack + "/preset", .string("dub")) == .done)
        #expect(harness.text(rack + "/layout") == "1 2" && harness.number(rack + "/slot/1/delay/time") == 375)
        harness.until("the preset is heard") { harness.level().left > -30 }
        #expect(harness.send(rack + "/load", .string(file)) == .done)
        #expect(harness.text(rack + "/title") == "closed" && harness.number(rack + "/slot/1/gate/threshold") == 0)
        harness.until("the saved rack is heard") { harness.level().left < -80 }
        #expect(harness.send(rack + "/clear") == .done)
        harness.until("the empty rack is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
    }

    @Test func aSessionKeepsItsRacks() throws {
        addClosedGate()
        harness.send("/session/save-as", .string("closed"))
        harness.send(rack + "/clear")
        harness.until("the empty rack is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        harness.send("/session/load", .string("closed"))
        #expect(harness.number(rack + "/slot/1/gate/threshold") == 0)
        harness.until("the session's rack is heard") { harness.level().left < -80 }
    }

    /// The whole rack is bypassed without a change of its slots; undo and sessions keep it.
    @Test func theWholeRackIsBypassed() throws {
        addClosedGate()
        #expect(harness.send(rack + "/bypass", .bool(true)) == .done)
        harness.until("the bypass is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        #expect(harness.number(rack + "/slot/1/bypass") == 0)
        harness.send("/session/save-as", .string("bypassed"))
        harness.send("/session/undo")
        #expect(harness.number(rack + "/bypass") == 0)
        harness.until("the gate is heard") { harness.level().left < -80 }
        harness.send("/session/load", .string("bypassed"))
        #expect(harness.number(rack + "/bypass") == 1)
        harness.until("the session's bypass is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        #expect(harness.number(rack + "/input") > 0 && harness.number(rack + "/output") == harness.number(rack + "/input"))
    }

    /// Two complete settings: the second begins as a copy, each keeps its own effects, title and order; undo, sessions and scenes
    /// keep both.
    @Test func twoSidesAreCompared() throws {
        addClosedGate()
        #expect(harness.send(rack + "/side", .string("B")) == .done)
        #expect(harness.text(rack + "/layout") == "1" && harness.number(rack + "/slot/1/gate/threshold") == 0)
        #expect(harness.send(rack + "/preset", .string("dub")) == .done)
        harness.until("the preset is heard") { harness.level().left > -30 }
        harness.send(rack + "/side", .string("A"))
        #expect(harness.text(rack + "/title") == "" && harness.text(rack + "/layout") == "1")
        harness.until("the gate is heard") { harness.level().left < -80 }
        harness.send("/session/save-as", .string("both"))
        #expect(harness.send(rack + "/copy") == .done)
        harness.send(rack + "/side", .string("B"))
        #expect(harness.number(rack + "/slot/1/gate/threshold") == 0)
        harness.send("/session/undo")
        #expect(harness.number(rack + "/side") == 0)
        harness.send("/session/undo")
        harness.send(rack + "/side", .string("B"))
        #expect(harness.text(rack + "/layout") == "1 2" && harness.number(rack + "/slot/1/delay/time") == 375)
        harness.send(rack + "/clear")
        harness.send("/session/load", .string("both"))
        #expect(harness.number(rack + "/side") == 0 && harness.number(rack + "/slot/1/gate/threshold") == 0)
        harness.send(rack + "/side", .string("B"))
        #expect(harness.number(rack + "/slot/1/delay/time") == 375)
        harness.until("the session's other side is heard") { harness.level().left > -30 }
        let saved = try String(contentsOfFile: folder.path("sessions/both.json"), encoding: .utf8)
        #expect(saved.contains("\"other\""))
    }

    /// Racks in folders are saved, listed and loaded by name; links that lead elsewhere are neither listed nor loaded.
    @Test func presetsAreKeptInFolders() throws {
        addClosedGate()
        #expect(harness.send(rack + "/save", .string("Live/My lead")) == .done)
        #expect(harness.text(rack + "/title") == "Live/My lead")
        // Not among files of another kind, whatever the path.
        let session = folder.path("sessions/evening.json")
        harness.send("/session/save-as", .string("evening"))
        let refused = harness.send(rack + "/save", .string(session), .bool(true)).text
        #expect(refused?.contains("in the folder of sessions") == true, "\(refused ?? "written")")
        let motion = harness.send("/session/record-motion", .string(folder.path("data/presets/m.csv"))).text
        #expect(motion?.contains("of another kind") == true, "\(motion ?? "recorded")")
        let presets = harness.engine.files.clients.folder(.presets)
        let other = TestFolder()
        let outside = other.path("elsewhere")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: presets + "/Live/My lead.json", toPath: outside + "/secret.json")
        try FileManager.default.createSymbolicLink(atPath: presets + "/Out", withDestinationPath: outside)
        try FileManager.default.createSymbolicLink(atPath: presets + "/Live/secret.json", withDestinationPath: outside + "/secret.json")
        // The last to be there: a list that has it has been made of all.
        #expect(harness.send(rack + "/save", .string("Live/Deep/Echo")) == .done)
        harness.until("the list has the racks") { harness.text("/list/racks").contains("user\tLive/Deep/Echo") }
        let own = harness.text("/list/racks").split(separator: "\n").filter { $0.hasPrefix("user") }
        #expect(own == ["user\tLive/My lead", "user\tLive/Deep/Echo"])
        harness.send(rack + "/clear")
        #expect(harness.send(rack + "/load", .string("Live/My lead")) == .done)
        #expect(harness.text(rack + "/title") == "Live/My lead" && harness.number(rack + "/slot/1/gate/threshold") == 0)
        for name in ["Live/../../secret", "Live/.hidden/x", "Live//x", "Out/secret", "Out/new", "Live/secret"] {
            #expect(harness.send(rack + "/load", .string(name)).text != nil, "\(name)")
            #expect(harness.send(rack + "/save", .string(name)).text != nil, "\(name)")
        }
        #expect(!FileManager.default.fileExists(atPath: outside + "/new.json"))
    }
}
