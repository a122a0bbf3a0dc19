import Engine
import Foundation
import Hub
import Parameters
import TestSupport
import Testing

/// Saving and loading sessions, and recovery after a crash.
@Suite struct EngineSessionTests {
    let folder: TestFolder

    init() { folder = TestFolder() }

    /// A running engine with autosave.
    func engine(recovers: Bool = true, reports: (String) -> Void = { _ in }) throws -> EngineHarness {
        let harness = try EngineHarness(folder)
        var said: [String] = []
        harness.engine.sessions.recovery.start(recovers: recovers) { said.append($0) }
        try harness.start()
        said.forEach(reports)
        return harness
    }

    @Test func aSavedSessionIsLoadedAgain() throws {
        let harness = try engine()
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/play")
        harness.send("/listener/1/gain", .float(-20))
        harness.until("the change is noticed") { harness.number("/session/changed") == 1 }
        #expect(harness.send("/session/save").text?.contains("no name yet") == true)
        #expect(harness.send("/session/save-as", .string("evening")) == .done)
        #expect(harness.text("/session/name") == "evening" && harness.number("/session/changed") == 0)
        harness.send("/listener/1/gain", .float(0))
        harness.send("/session/compare", .string("evening"))
        #expect(harness.text("/session/difference") == "evening\nGain, listener 1: 0 dB to -20 dB")
        harness.until("the change is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        #expect(harness.send("/session/revert") == .done)
        #expect(harness.number("/listener/1/gain") == -20)
        harness.until("the session is heard") { abs(harness.level().left - PlaybackTests.tone + 20) < 0.1 }
        // Loading is an undo step as well.
        harness.send("/session/undo")
        #expect(harness.number("/listener/1/gain") == 0)
    }

    @Test func aSessionWithAnErrorChangesNothing() throws {
        let harness = try engine()
        harness.send("/listener/1/gain", .float(-20))
        harness.send("/session/save-as", .string("evening"))
        try #"{"version": 2, "parameters": {"/listener/1/gain": -40, "/listener/1/mute": "perhaps"}}"#
            .write(toFile: folder.path("sessions/bad.json"), atomically: true, encoding: .utf8)
        guard case .refused = harness.send("/session/load", .string("bad")) else {
            Issue.record("a session with an error was not refused")
            return
        }
        #expect(harness.number("/listener/1/gain") == -20 && harness.text("/session/name") == "evening")
    }

    private func untilSaved(_ harness: EngineHarness?) {
        guard let harness else { return }
        let recovery = harness.engine.sessions.recovery
        harness.until("the change is written") {
            recovery.autosave()
            return recovery.isSettled
        }
    }

    @Test func unsavedChangesSurviveACrash() throws {
        var crashed: EngineHarness? = try engine()
        crashed?.send("/session/recording", .string(try folder.recording()))
        crashed?.send("/listener/1/gain", .float(-20))
        crashed?.send("/session/save-as", .string("evening"))
        crashed?.send("/listener/1/gain", .float(-30))
        crashed?.send("/rack/recording/add", .string("chorus"))
        crashed?.until("the change is noticed") { crashed?.number("/session/changed") == 1 }
        untilSaved(crashed)
        weak let former = crashed?.engine
        crashed = nil
        // Threads that still worked for it may be the last to let it go.
        waitUntil("the engine is freed") { former == nil }

        var reports: [String] = []
        let harness = try engine { reports.append($0) }
        #expect(reports.count == 1 && reports[0].hasPrefix("recovered: session evening"), "\(reports)")
        #expect(harness.engine.sessions.recovery.isRecovered)
        #expect(harness.number("/listener/1/gain") == -30 && harness.text("/rack/recording/layout") == "1")
        #expect(harness.text("/session/name") == "evening" && harness.number("/session/changed") == 1)
        harness.send("/transport/play")
        harness.send("/rack/recording/clear")
        harness.until("the recovered session is heard") { abs(harness.level().left - PlaybackTests.tone + 30) < 0.2 }
        harness.send("/session/save")
        harness.engine.sessions.recovery.end()
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("sessions"))
        #expect(!left.contains { $0.hasSuffix(".autosave") }, "\(left)")
    }

    @Test func unsavedChangesStayWhereTheyAreWithoutRecovery() throws {
        var crashed: EngineHarness? = try engine()
        crashed?.send("/listener/1/gain", .float(-30))
        crashed?.until("the change is noticed") { crashed?.number("/session/changed") == 1 }
        untilSaved(crashed)
        crashed = nil
        var reports: [String] = []
        do {
            let harness = try engine(recovers: false) { reports.append($0) }
            #expect(reports.count == 1 && reports[0].contains("are not recovered"), "\(reports)")
            #expect(harness.number("/listener/1/gain") == 0)
            harness.engine.sessions.recovery.end()
        }
        let harness = try engine { reports.append($0) }
        #expect(reports.last?.hasPrefix("recovered: a session without a name") == true, "\(reports)")
        #expect(harness.number("/listener/1/gain") == -30)
        harness.engine.sessions.recovery.end()
    }
}
