import Engine
import Hub
import Parameters
import Testing

/// Editing the cue list: storing, numbering, removing, undo, sessions.
@Suite struct CueEditingTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder)
    }

    private func store(_ texts: String...) { for text in texts { #expect(harness.send("/cue-list/store", .string(text)) == .done) } }

    private func cue(_ place: Int) -> String { harness.text("/cue-list/\(place)/cue") }

    @Test func aCueReplacesTheOneOfItsNumber() {
        store("1 play", "2 pause", "1.0 \"First\" stop")
        #expect(cue(1) == "1 \"First\" stop" && cue(2) == "2 pause" && cue(3).isEmpty)
        #expect(harness.text("/cue-list/standby") == "1 First")
        #expect(harness.text("/session/undo-words") == "Store cue 1 First")
        harness.send("/session/undo")
        #expect(cue(1) == "1 play")
        harness.send("/session/undo")
        #expect(cue(2).isEmpty)
        harness.send("/session/redo")
        #expect(cue(2) == "2 pause")
    }

    @Test func renumberingExchangesNumbers() {
        store("1 play", "2 pause", "3 stop")
        #expect(harness.send("/cue-list/renumber", .float(3), .float(1)) == .done)
        #expect([1, 2, 3].map(cue) == ["3 play", "2 pause", "1 stop"])
        #expect(harness.text("/session/undo-words") == "Renumber cue 3 to 1")
        harness.send("/session/undo")
        #expect([1, 2, 3].map(cue) == ["1 play", "2 pause", "3 stop"])
        harness.send("/session/redo")
        #expect([1, 2, 3].map(cue) == ["3 play", "2 pause", "1 stop"])
        harness.send("/cue-list/renumber", .float(2), .float(9.5))
        #expect(cue(2) == "9.5 pause")
        #expect(harness.send("/cue-list/renumber", .float(7), .float(8)).text?.contains("there is no cue \"7\"") == true)
    }

    @Test func removing() {
        store("1 play", "2 \"Two\" pause", "3 stop")
        harness.send("/cue-list/select", .int(2))
        #expect(harness.send("/cue-list/remove", .string("Two")) == .done)
        #expect(cue(2).isEmpty && harness.text("/cue-list/standby") == "3")
        #expect(harness.text("/session/undo-words") == "Remove cue 2 Two")
        harness.send("/cue-list/clear")
        #expect([1, 2, 3].map(cue) == ["", "", ""] && harness.text("/cue-list/standby").isEmpty)
        harness.send("/session/undo")
        #expect(cue(1) == "1 play" && cue(3) == "3 stop")
        harness.send("/session/undo")
        #expect(cue(2) == "2 \"Two\" pause")
    }

    @Test func aCueThatIsRemovedFiresNoMore() {
        let sent = SentMessages()
        harness.engine.controllers.cueList.onSend { sent.texts.append($0.address) }
        store("1 wait 5 osc h:1 /a", "2 continue 5 osc h:1 /b", "3 osc h:1 /c")
        harness.send("/cue-list/fire", .int(1))
        harness.send("/cue-list/fire", .int(2))
        harness.send("/cue-list/remove", .int(1))
        harness.send("/cue-list/remove", .int(3))
        harness.tick(after: 20)
        #expect(sent.texts == ["/b"] && harness.text("/cue-list/waiting").isEmpty)
    }

    @Test func theListHasALimit() {
        for number in 1...CueListEntryParameter.most { store("\(number) play") }
        #expect(harness.send("/cue-list/store", .string("101 play")).text?.contains("100 cues already") == true)
        store("100 pause")
        #expect(cue(100) == "100 pause")
    }

    @Test func sessionsKeepTheList() {
        store("2 \"Night\" at 18:00 scene Dark fade 5", "1 play")
        harness.send("/cue-list/triggers", .bool(false))
        #expect(harness.send("/session/save-as", .string("show")) == .done)
        harness.send("/cue-list/clear")
        store("3 wait 5 stop")
        harness.send("/cue-list/go")
        #expect(harness.send("/session/load", .string("show")) == .done)
        #expect(cue(1) == "2 \"Night\" at 18:00:00 scene Dark fade 5" && cue(2) == "1 play")
        #expect(harness.number("/cue-list/triggers") == 0)
        // The list restarts, and the previous one's waits have ended.
        #expect(harness.text("/cue-list/standby") == "1" && harness.text("/cue-list/current").isEmpty)
        #expect(harness.text("/cue-list/waiting").isEmpty)
        harness.send("/session/undo")
        #expect(cue(1) == "3 wait 5 stop" && cue(2).isEmpty)
    }
}
