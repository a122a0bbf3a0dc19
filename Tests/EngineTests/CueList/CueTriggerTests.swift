import Engine
import Hub
import Parameters
import Testing

/// Cues that fire by the time of day, by the recording's position and by MIDI.
@Suite struct CueTriggerTests {
    let folder: TestFolder
    let harness: EngineHarness
    let sent = SentMessages()
    let clock = SetClock()

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder)
        let (sent, clock) = (sent, clock)
        harness.engine.controllers.cueList.onSend { sent.texts.append($0.address) }
        harness.engine.controllers.cueList.wallClock = { clock.time }
    }

    private func store(_ texts: String...) { for text in texts { #expect(harness.send("/cue-list/store", .string(text)) == .done) } }

    /// Lets the wall clock reach a time, and the engine look at it.
    private func reach(day: Int = 1, _ hour: Int, _ minute: Int, _ second: Double) {
        clock.time = WallTime(day: day, second: Double(3600 * hour + 60 * minute) + second)
        harness.tick()
    }

    @Test func timesOfDay() {
        store("1 at 18:00 osc h:1 /six", "2 at 00:00:00 osc h:1 /midnight", "3 at 23:59:59 wait 2 osc h:1 /late")
        // A time that has passed before the start is not made up for.
        reach(18, 0, 1)
        #expect(sent.texts.isEmpty)
        reach(day: 2, 17, 59, 59.99)
        #expect(sent.texts.isEmpty)
        reach(day: 2, 18, 0, 0.01)
        #expect(sent.texts == ["/six"])
        reach(day: 2, 18, 0, 0.04)
        #expect(sent.texts == ["/six"])
        reach(day: 2, 23, 59, 58.99)
        reach(day: 2, 23, 59, 59.98)
        reach(day: 3, 0, 0, 0.02)
        #expect(sent.texts == ["/six", "/midnight"], "the wait of the late cue counts by the engine's clock")
        harness.tick(after: 2)
        #expect(sent.texts == ["/six", "/midnight", "/late"])
        reach(day: 3, 17, 59, 59.9)
        reach(day: 3, 18, 0, 0)
        #expect(sent.texts.last == "/six" && sent.texts.count == 4)
    }

    @Test func aClockThatIsSet() {
        store("1 at 02:30 osc h:1 /half")
        reach(2, 29, 0)
        reach(2, 30, 0.1)
        #expect(sent.texts.count == 1)
        // Back by an hour: not twice a day.
        reach(1, 30, 0)
        reach(2, 29, 59)
        reach(2, 30, 1)
        #expect(sent.texts.count == 1)
        // Forward over the time: within a minute it counts, beyond that it does not.
        reach(day: 2, 2, 29, 30)
        reach(day: 2, 2, 30, 29)
        #expect(sent.texts.count == 2)
        reach(day: 3, 1, 59, 59)
        reach(day: 3, 3, 0, 0)
        #expect(sent.texts.count == 2)
        // A cue whose time is changed fires again on the same day.
        store("1 at 04:00 osc h:1 /four")
        reach(day: 3, 3, 59, 59)
        reach(day: 3, 4, 0, 0)
        store("1 at 04:01 osc h:1 /more")
        reach(day: 3, 4, 0, 59)
        reach(day: 3, 4, 1, 0)
        #expect(sent.texts.suffix(2) == ["/four", "/more"])
    }

    @Test func triggersCanBeSwitchedOff() {
        store("1 at 12:00 osc h:1 /noon")
        harness.send("/cue-list/triggers", .bool(false))
        reach(11, 59, 59)
        reach(12, 0, 0)
        harness.send("/cue-list/triggers", .bool(true))
        reach(12, 0, 1)
        #expect(sent.texts.isEmpty)
        harness.send("/cue-list/go")
        #expect(sent.texts == ["/noon"], "Go does not ask for the time")
    }

    @Test func positionsOfTheRecording() throws {
        try harness.start()
        store("1 at position 0 osc h:1 /start", "2 at position 0.5 osc h:1 /half", "3 at position 1.8 osc h:1 /late")
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/loop", .bool(false))
        harness.pull(100)
        #expect(sent.texts.isEmpty, "nothing plays yet")
        harness.send("/transport/play")
        harness.until("the start is passed") { !sent.texts.isEmpty }
        #expect(sent.texts == ["/start"])
        harness.until("the next cue is passed") { sent.texts.count > 1 }
        #expect(sent.texts == ["/start", "/half"])
        // A tick of the harness comes after ten blocks of 64 frames: 13 ms.
        let position = harness.number("/transport/position")
        #expect(position >= 0.5 && position < 0.54, "\(position) s")
        harness.send("/transport/pause")
        harness.pull(100)
        harness.send("/transport/play")
        harness.pull(100)
        #expect(sent.texts.count == 2)
        // A jump passes over what lies between, and passes the place that it leads to.
        harness.send("/transport/seek", .float(1.9))
        harness.until("the recording ends") { harness.number("/transport/state") == Float(TransportParameter.stopped) }
        #expect(sent.texts.count == 2)
        harness.send("/transport/seek", .float(1.8))
        // The end of the previous playback fades, which takes a few frames of the new place.
        harness.until("the jump is done") { (1.7..<1.98).contains(harness.number("/transport/position")) }
        harness.send("/transport/play")
        harness.until("the last cue is passed") { sent.texts.count > 2 }
        #expect(sent.texts.last == "/late")
    }

    @Test func aLoopPassesItsCuesInEveryRound() throws {
        try harness.start()
        store("1 at position 0 osc h:1 /start", "2 at position 2 osc h:1 /end")
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/play")
        harness.until("three rounds") { sent.texts.count >= 6 }
        #expect(sent.texts.prefix(6) == ["/start", "/end", "/start", "/end", "/start", "/end"])
    }

    @Test func aKeyFiresACue() {
        store("1 osc h:1 /a", "2 osc h:1 /b")
        harness.send("/midi/1/mapping", .string("note 60 to /cue-list/2/fire"))
        harness.send("/midi/2/mapping", .string("cc 64 to /cue-list/go"))
        harness.send("/midi/message", .int(0x90), .int(60), .int(100))
        #expect(sent.texts == ["/b"])
        harness.send("/midi/message", .int(0x80), .int(60), .int(0))
        harness.send("/midi/message", .int(0xB0), .int(64), .int(127))
        #expect(sent.texts == ["/b", "/a"])
    }
}
