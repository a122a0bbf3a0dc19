import Engine
import Hub
import Parameters
import Testing

/// The looper as clients and MIDI pedals control it.
@Suite struct LooperControlTests {
    let folder: TestFolder

    init() { folder = TestFolder() }

    @Test func withoutAnInputItIsRefused() throws {
        let harness = try EngineHarness(folder)
        try harness.start()
        #expect(harness.send("/looper/record").text?.contains("--input") == true)
    }

    /// One pedal records, ends the recording and overdubs; sessions keep the settings and no loop.
    @Test func aPedalRecordsAndOverdubs() throws {
        let harness = try EngineHarness(folder, input: .file(try folder.sound("tone.wav")))
        try harness.start()
        let state = { LooperParameter.State.names[Int(harness.number("/looper/state"))] }
        #expect(harness.send("/midi/1/mapping", .string("cc 64 to /looper/record")) == .done)
        func press() {
            harness.send("/midi/message", .int(0xB0), .int(64), .int(127))
            harness.send("/midi/message", .int(0xB0), .int(64), .int(0))
        }
        press()
        harness.until("it records") { state() == "recording" && harness.number("/looper/length") > 0.1 }
        press()
        harness.until("it plays") { state() == "playing" }
        let length = harness.number("/looper/length")
        press()
        harness.until("it overdubs") { state() == "overdubbing" && harness.number("/looper/can-undo") == 1 }
        #expect(harness.send("/looper/undo") == .done)
        harness.until("the overdub is gone") { state() == "playing" && harness.number("/looper/can-redo") == 1 }
        #expect(harness.number("/looper/length") == length && length > 0.1)
        harness.send("/looper/level", .float(-6))
        harness.send("/looper/quantise", .string("bar"))
        harness.send("/session/save-as", .string("loop"))
        #expect(harness.send("/looper/clear") == .done)
        harness.until("it is empty") { state() == "empty" && harness.number("/looper/length") == 0 }
        harness.send("/looper/level", .float(0))
        harness.send("/session/load", .string("loop"))
        #expect(harness.number("/looper/level") == -6 && harness.number("/looper/quantise") == 2 && state() == "empty")
    }
}
