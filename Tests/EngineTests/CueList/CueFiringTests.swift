import Engine
import Hub
import Parameters
import Testing

/// Go, standby, waits, follow-ons and the actions of cues, by the test's own clock.
@Suite struct CueFiringTests {
    let folder: TestFolder
    let harness: EngineHarness
    let sent = SentMessages()

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder, objects: 2)
        let sent = sent
        harness.engine.controllers.cueList.onSend { sent.texts.append("\($0)") }
    }

    private func store(_ texts: String...) { for text in texts { #expect(harness.send("/cue-list/store", .string(text)) == .done) } }

    private var standby: String { harness.text("/cue-list/standby") }
    private var current: String { harness.text("/cue-list/current") }

    @Test func goFiresInTheOrderOfNumbers() {
        #expect(harness.send("/cue-list/go").text?.contains("the list is empty") == true)
        store("10 osc h:1 /c", "2 \"Two\" osc h:1 /b", "1 osc h:1 /a", "1.5 osc h:1 /ab")
        // The cue that made the list is on standby until another is selected.
        #expect(standby == "10")
        harness.send("/cue-list/select", .string(""))
        for (next, title) in [("1.5", "1"), ("2 Two", "1.5"), ("10", "2 Two"), ("", "10")] {
            #expect(harness.send("/cue-list/go") == .done)
            #expect(standby == next && current == title)
        }
        #expect(sent.texts == ["h:1 /a", "h:1 /ab", "h:1 /b", "h:1 /c"])
        #expect(harness.send("/cue-list/go").text?.contains("no cue is on standby; select one") == true)
        harness.send("/cue-list/back")
        #expect(standby == "10")
        harness.send("/cue-list/back")
        #expect(standby == "2 Two")
        #expect(harness.send("/cue-list/select", .float(1.5)) == .done)
        #expect(standby == "1.5")
        harness.send("/cue-list/back")
        #expect(harness.send("/cue-list/back").text?.contains("no cue before") == true)
        #expect(sent.texts.count == 4)
    }

    @Test func firingByNumberByNameAndByPlace() {
        store("1 osc h:1 /a", "2 \"Two\" osc h:1 /b", "3 osc h:1 /c")
        harness.send("/cue-list/fire", .int(2))
        harness.send("/cue-list/fire", .string("Two"))
        harness.send("/cue-list/3/fire")
        #expect(sent.texts == ["h:1 /b", "h:1 /b", "h:1 /c"])
        // Standby stays where the operator is, unless its own cue fires.
        #expect(standby == "1")
        harness.send("/cue-list/fire", .float(1))
        #expect(standby == "2 Two")
        #expect(harness.send("/cue-list/fire", .string("9")).text?.contains("no cue \"9\"; the cues are 1, 2, 3") == true)
        #expect(harness.send("/cue-list/4/fire").text?.contains("there is no cue in this place") == true)
    }

    @Test func waitsFollowEachOtherToTheTick() {
        store("1 wait 2 continue 3 osc h:1 /a", "2 wait 0.5 osc h:1 /b", "3 osc h:1 /c")
        harness.send("/cue-list/go")
        #expect(sent.texts.isEmpty && harness.text("/cue-list/waiting") == "1" && harness.number("/cue-list/remaining") == 2)
        #expect(standby == "2")
        harness.tick(after: 1.9)
        #expect(sent.texts.isEmpty && abs(harness.number("/cue-list/remaining") - 0.1) < 0.101)
        // Late by 0.4 s, which the waits behind do not inherit.
        harness.tick(after: 0.5)
        #expect(sent.texts == ["h:1 /a"] && harness.text("/cue-list/waiting") == "2")
        harness.tick(after: 3.0)
        #expect(current == "2" && sent.texts.count == 1)
        harness.tick(after: 0.05)
        #expect(sent.texts.count == 1, "0.05 s before its time")
        harness.tick(after: 0.06)
        #expect(sent.texts == ["h:1 /a", "h:1 /b"])
        #expect(harness.text("/cue-list/waiting").isEmpty && harness.number("/cue-list/remaining") == 0)
        // Cue 2 has no follow-on.
        harness.tick(after: 100)
        #expect(sent.texts.count == 2)
    }

    @Test func goDoesNotWaitForAFollowOn() {
        store("1 continue 10 osc h:1 /a", "2 osc h:1 /b", "3 osc h:1 /c")
        harness.send("/cue-list/go")
        harness.send("/cue-list/go")
        #expect(sent.texts == ["h:1 /a", "h:1 /b"])
        harness.tick(after: 20)
        #expect(sent.texts.count == 2, "the follow-on was fired already")
    }

    @Test func aFollowOnWaitsForTheSoundsEnd() {
        store("1 follow sound beep", "2 osc h:1 /b")
        harness.send("/cue-list/go")
        harness.tick(after: 0.24)
        #expect(sent.texts.isEmpty)
        harness.tick(after: 0.02)
        #expect(sent.texts == ["h:1 /b"])
    }

    @Test func aFollowOnWaitsForTheCrossfade() {
        harness.send("/listener/1/gain", .float(-40))
        harness.send("/scene/store", .string("far away"))
        harness.send("/listener/1/gain", .float(0))
        store("1 follow scene \"far away\" fade 100", "2 osc h:1 /b")
        harness.send("/cue-list/go")
        harness.tick(after: 50)
        let gain = harness.number("/listener/1/gain")
        #expect(gain < -5 && gain > -35 && sent.texts.isEmpty, "\(gain) dB half way")
        harness.tick(after: 60)
        #expect(harness.number("/listener/1/gain") == -40)
        harness.tick()
        #expect(sent.texts == ["h:1 /b"])
        // The cue's fade is its own, and its recall an undo step of its own.
        #expect(harness.number("/scene/crossfade") == 2)
        harness.send("/session/undo")
        #expect(harness.number("/listener/1/gain") == 0)
    }

    @Test func aRecallTakesItsDuration() {
        harness.send("/scene/store", .string("here"))
        harness.send("/listener/1/gain", .float(-40))
        #expect(harness.send("/scene/recall", .string("here"), .float(3601)).text?.contains("0 to 3600 s") == true)
        #expect(harness.send("/scene/recall", .string("here"), .float(0)) == .done)
        #expect(harness.number("/listener/1/gain") == 0)
    }

    @Test func recordingsAndTheTransport() throws {
        try harness.start()
        _ = try folder.recording()
        store("1 recording \(folder.path("recording.wav"))", "2 pause", "3 seek 1.5", "4 stop", "5 recording absent.wav", "6 play")
        harness.send("/transport/loop", .bool(false))
        harness.send("/cue-list/go")
        harness.until("the tone is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        harness.send("/cue-list/go")
        #expect(harness.number("/transport/state") == Float(TransportParameter.paused))
        harness.send("/cue-list/go")
        harness.send("/transport/play")
        harness.until("the position is reached") { harness.number("/transport/position") > 1.5 }
        harness.send("/cue-list/go")
        #expect(harness.number("/transport/state") == Float(TransportParameter.stopped))
        harness.send("/cue-list/go")
        #expect(harness.notices.contains { $0.contains("cue 5") && $0.contains("absent.wav") }, "\(harness.notices)")
        #expect(harness.number("/transport/state") == Float(TransportParameter.stopped), "nothing is played in its place")
        // Auto-follow at the recording's end.
        store("6 follow play", "7 osc h:1 /end")
        harness.send("/cue-list/go")
        harness.pull(100)
        #expect(sent.texts.isEmpty)
        harness.until("the recording ends") { harness.number("/transport/state") == Float(TransportParameter.stopped) }
        harness.tick()
        #expect(sent.texts == ["h:1 /end"])
    }

    @Test func aRecordingFadesIntoTheNext() throws {
        try harness.start()
        store(
            "1 recording \(try folder.recording("left.wav"))", "2 recording \(try folder.recording("right.wav", microphone: 2)) fade 0.5")
        harness.send("/cue-list/go")
        harness.until("the tone is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        harness.send("/cue-list/go")
        harness.until("both are heard at nearly half their power") {
            let level = harness.level(blocks: 20)
            return abs(level.left - PlaybackTests.tone + 3) < 1 && abs(level.right - PlaybackTests.tone + 3) < 1
        }
    }

    @Test func objectsTakeAndLoseTheirSounds() throws {
        try harness.start()
        _ = try folder.sound("tone.wav")
        harness.send("/transport/play")
        store("1 object 2 sound tone.wav", "2 object 2 stop", "3 object 3 stop")
        harness.send("/cue-list/go")
        harness.until("the sound is heard") { harness.level().left > -60 }
        #expect(harness.text("/object/2/source") == "tone.wav")
        harness.send("/cue-list/go")
        #expect(harness.text("/object/2/source").isEmpty)
        harness.send("/cue-list/go")
        #expect(harness.notices.contains { $0.contains("cue 3: there is no object 3; /object/add adds one") })
    }

    /// Stop all does not wait for a file that is being read, and the recording does not play afterwards.
    @Test func stopAllIsNotHeldUpByAFile() throws {
        try harness.start()
        store("1 recording \(try folder.recording())")
        harness.send("/transport/play")
        let hub = harness.engine.hub
        // Without settling, the file stays unread for the engine.
        hub.handle(Message(address: "/cue-list/go", arguments: [], receiveTime: harness.clock), from: harness.client)
        #expect(hub.isWaiting)
        hub.handle(Message(address: "/cue-list/stop", arguments: [], receiveTime: harness.clock), from: harness.client)
        #expect(harness.number("/transport/state") == Float(TransportParameter.stopped))
        harness.until("the recording is loaded") { harness.number("/transport/duration") == 2 }
        harness.pull(50)
        #expect(harness.number("/transport/state") == Float(TransportParameter.stopped))
    }

    @Test func stopAllEndsWaitsAndSound() throws {
        store("1 continue 5 wait 1 osc h:1 /a", "2 osc h:1 /b")
        try harness.start()
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/play")
        harness.send("/cue-list/go")
        harness.send("/cue-list/stop")
        #expect(harness.text("/cue-list/waiting").isEmpty)
        #expect(harness.number("/transport/state") == Float(TransportParameter.stopped))
        harness.tick(after: 60)
        #expect(sent.texts.isEmpty && standby == "2")
        // By a cue, which may continue with others.
        store("3 wait 1 osc h:1 /never", "4 continue 0 stop all", "5 osc h:1 /after")
        harness.send("/cue-list/fire", .int(3))
        harness.send("/cue-list/fire", .int(4))
        harness.tick(after: 60)
        #expect(sent.texts == ["h:1 /after"])
    }

    /// Cues that fire each other without a wait go round once a tick, and do not hold up the engine.
    @Test func loopsOfCues() {
        store("1 continue 0 osc h:1 /a", "2 cue 1", "3 cue 99", "4 continue 0 cue 4")
        harness.send("/cue-list/go")
        for _ in 0..<5 { harness.tick() }
        #expect((4...8).contains(sent.texts.count), "\(sent.texts.count) rounds in 5 ticks")
        harness.send("/cue-list/stop")
        harness.send("/cue-list/fire", .int(3))
        #expect(harness.notices.contains { $0.contains("cue 3: there is no cue 99 to fire") })
        harness.send("/cue-list/fire", .int(4))
        for _ in 0..<1000 { harness.tick() }
        #expect(harness.text("/cue-list/waiting") == "4")
    }

    @Test func messagesToOtherProgramsAreLimited() {
        store("1 osc h:1 /a")
        for _ in 0..<300 { harness.send("/cue-list/fire", .int(1), after: 0.001) }
        // Two seconds' worth at first, and 0.3 s more.
        #expect((200...231).contains(sent.texts.count), "\(sent.texts.count)")
        #expect(harness.notices.contains { $0.contains("at most 100 OSC messages a second") })
    }
}
