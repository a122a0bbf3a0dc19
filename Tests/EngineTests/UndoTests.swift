import Engine
import Hub
import Parameters
import Testing

/// Undo and redo of client changes, and the resulting levels.
@Suite struct UndoTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder)
        try harness.start(playing: folder)
    }

    @Test func aGainIsUndoneAndRedone() {
        #expect(harness.send("/listener/1/gain", .float(-20)) == .done)
        harness.tick()
        #expect(harness.text("/session/undo-words") == "Gain, listener 1: 0 dB to -20 dB")
        #expect(abs(harness.settledLevel() - PlaybackTests.tone + 20) < 0.1)
        #expect(harness.send("/session/undo") == .done)
        #expect(harness.number("/listener/1/gain") == 0)
        #expect(abs(harness.settledLevel() - PlaybackTests.tone) < 0.1)
        #expect(harness.send("/session/redo") == .done)
        #expect(harness.number("/listener/1/gain") == -20)
        #expect(abs(harness.settledLevel() - PlaybackTests.tone + 20) < 0.1)
        #expect(harness.send("/session/redo").text?.contains("nothing to redo") == true)
    }

    @Test func aLayoutIsUndoneByTheNameOfTheEffect() {
        let rack = "/rack/recording"
        for effect in ["gate", "pitch-shift", "delay"] { harness.send(rack + "/add", .string(effect), after: 1) }
        func words(_ layout: String) -> String? {
            harness.send(rack + "/layout", .string(layout), after: 1)
            harness.tick()
            return harness.text("/session/undo-words")
        }
        #expect(words("2 3 1") == "Move Gate, rack recording")
        #expect(words("(2 | 1) 3") == "Move Gate, rack recording")
        #expect(words("3 (1 | 2)") == "Rearrange effects, rack recording")
        #expect(words("3 1") == "Remove Pitch shift, rack recording")
    }

    @Test func aDraggedFaderIsOneStep() {
        for gain in stride(from: Float(-1), through: -10, by: -1) { harness.send("/listener/1/gain", .float(gain), after: 0.02) }
        harness.send("/listener/1/gain", .float(-11), after: 1)
        #expect(harness.send("/session/undo") == .done)
        #expect(harness.number("/listener/1/gain") == -10)
        #expect(harness.send("/session/undo") == .done)
        #expect(harness.number("/listener/1/gain") == 0)
    }

    @Test func twoClientsAreTwoSteps() {
        let other = harness.engine.hub.subscribe {}
        harness.send("/listener/1/gain", .float(-6))
        harness.engine.hub.handle(
            Message(address: "/listener/1/ear-azimuth", arguments: [.float(80)], receiveTime: harness.clock + 1), from: other)
        #expect(harness.send("/session/undo") == .done)
        #expect(harness.number("/listener/1/ear-azimuth") == 90 && harness.number("/listener/1/gain") == -6)
        #expect(harness.send("/session/undo") == .done)
        #expect(harness.number("/listener/1/gain") == 0)
    }

    @Test func anEffectIsUndoneAndRedone() {
        let rack = "/rack/recording"
        #expect(harness.send(rack + "/add", .string("gate")) == .done)
        #expect(harness.send(rack + "/slot/1/gate/threshold", .float(0)) == .done)
        harness.until("the gate closes") { harness.level().left < -80 }
        #expect(harness.send("/session/undo") == .done)
        harness.until("the gate opens") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        #expect(harness.send("/session/undo") == .done)
        #expect(harness.text(rack + "/layout") == "" && harness.value(rack + "/slot/1/gate/threshold") == nil)
        #expect(harness.send("/session/redo") == .done)
        #expect(harness.send("/session/redo") == .done)
        #expect(harness.number(rack + "/slot/1/gate/threshold") == 0)
        harness.until("the gate closes again") { harness.level().left < -80 }
    }
}
