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
        folder = try TestFolder()
        harness = try EngineHarness(folder)
        try harness.start()
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/play")
        harness.until("the tone is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
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
}
