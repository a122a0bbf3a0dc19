import Foundation
import Hub
import Parameters
import Testing

/// The list of recordings, as clients use it.
@Suite struct DeckTests {
    let folder: TestFolder
    let harness: EngineHarness
    let (left, right, third): (String, String, String)

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder)
        left = try folder.recording("left.wav")
        right = try folder.recording("right.wav", microphone: 2)
        third = try folder.recording("third.wav")
        try harness.start()
    }

    private func fill() {
        for path in [left, right, third] { #expect(harness.send("/deck/add", .string(path)) == .done) }
    }

    private var current: Float { harness.number("/deck/current") }

    @Test func recordingsPlayOneAfterTheOtherUntilTheLast() {
        fill()
        #expect(current == 0)
        harness.send("/deck/play", .int(1))
        #expect(harness.text("/session/recording") == left && current == 1)
        harness.until("the second one is heard at the other ear") { abs(harness.level().right - PlaybackTests.tone) < 0.1 }
        #expect(harness.text("/session/recording") == right && current == 2)
        harness.until("the third one plays") { current == 3 }
        harness.until("playing stops after the last") { harness.number("/transport/state") == Float(TransportParameter.stopped) }
        #expect(current == 3 && harness.text("/session/recording") == third)
    }

    @Test func theFirstFollowsTheLastWhenAllRepeat() {
        fill()
        harness.send("/deck/repeat", .string("all"))
        harness.send("/deck/play", .int(3))
        harness.until("the first one plays") { current == 1 }
        #expect(harness.text("/session/recording") == left)
    }

    @Test func oneRecordingRepeats() {
        fill()
        harness.send("/deck/repeat", .string("one"))
        harness.send("/deck/play", .int(1))
        harness.pull(3 * 2 * 48_000 / 64)
        #expect(current == 1 && harness.number("/transport/state") == Float(TransportParameter.playing))
        harness.send("/deck/repeat", .string("none"))
        harness.until("the next one plays") { current == 2 }
    }

    @Test func nextAndPreviousEndAtTheEndsOfTheList() {
        fill()
        harness.send("/deck/next")
        #expect(current == 1)
        harness.send("/deck/next")
        harness.send("/deck/next")
        #expect(current == 3)
        guard case .refused(let reason) = harness.send("/deck/next") else {
            Issue.record("there is no recording after the last")
            return
        }
        #expect(reason.contains("no recording after the current one"))
        harness.send("/deck/previous")
        #expect(current == 2 && harness.text("/session/recording") == right)
        harness.send("/deck/repeat", .string("all"))
        harness.send("/deck/next")
        harness.send("/deck/next")
        #expect(current == 1)
    }

    @Test func aCrossfadeIsHeardInBothEars() {
        fill()
        harness.send("/deck/crossfade", .float(0.5))
        harness.send("/deck/play", .int(1))
        harness.until("the first is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        harness.send("/deck/next")
        harness.until("both are heard at nearly half their power") {
            let level = harness.level(blocks: 20)
            return abs(level.left - PlaybackTests.tone + 3) < 1 && abs(level.right - PlaybackTests.tone + 3) < 1
        }
        #expect(current == 2)
        harness.until("the second is heard alone") {
            let level = harness.level(blocks: 20)
            return abs(level.right - PlaybackTests.tone) < 0.1 && level.left < -60
        }
        // The last half second of the second recording is the first half second of the third one.
        harness.until("the third one begins before the second has ended") { current == 3 }
        #expect(abs(harness.level(blocks: 20).right - PlaybackTests.tone) < 6)
    }

    /// A recording that a message names, in the list or not, with a second argument.
    @Test func aCrossfadeToARecordingOfAMessage() {
        harness.send("/session/recording", .string(left))
        harness.send("/transport/loop", .bool(true))
        harness.send("/transport/play")
        harness.until("the first is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        #expect(harness.send("/session/recording", .string(right), .float(0.5)) == .done)
        harness.until("both are heard at nearly half their power") {
            let level = harness.level(blocks: 20)
            return abs(level.left - PlaybackTests.tone + 3) < 1 && abs(level.right - PlaybackTests.tone + 3) < 1
        }
        harness.until("the second is heard alone") {
            let level = harness.level(blocks: 20)
            return abs(level.right - PlaybackTests.tone) < 0.1 && level.left < -60
        }
        #expect(harness.text("/session/recording") == right)
        #expect(harness.send("/session/recording", .string(left), .float(61)).text?.contains("takes 0 to 60 s") == true)
        // Without a crossfade it is exchanged at once, and so it is while nothing plays.
        harness.send("/transport/stop")
        #expect(harness.send("/session/recording", .string(left), .float(5)) == .done)
        harness.send("/transport/play")
        harness.until("the first is heard alone") {
            let level = harness.level(blocks: 20)
            return abs(level.left - PlaybackTests.tone) < 0.1 && level.right < -60
        }
    }

    @Test func aSeekBeforeTheCrossfadeDelaysIt() {
        fill()
        harness.send("/deck/crossfade", .float(1))
        harness.send("/deck/play", .int(1))
        harness.until("it plays") { harness.number("/transport/position") > 0.5 }
        harness.send("/transport/seek", .float(0))
        harness.until("the position is back") { harness.number("/transport/position") < 0.3 }
        harness.pull(600)
        #expect(current == 1)
        harness.until("the next one follows") { current == 2 }
    }

    @Test func theListIsEditedAndUndone() {
        fill()
        harness.send("/deck/play", .int(2))
        harness.send("/deck/move", .float(2), .float(1))
        let names = { harness.text("/deck/list").split(separator: "\n").map { String($0.split(separator: "/").last ?? "") } }
        #expect(names() == ["right.wav", "left.wav", "third.wav"] && current == 1)
        harness.send("/deck/remove", .int(1))
        #expect(names() == ["left.wav", "third.wav"] && current == 0)
        #expect(harness.text("/session/recording") == right)
        harness.until("the one after the removed one follows") { current == 1 }
        #expect(harness.text("/session/recording") == left)
        harness.send("/session/undo")
        harness.send("/session/undo")
        #expect(names() == ["left.wav", "right.wav", "third.wav"])
        harness.send("/deck/clear")
        #expect(names().isEmpty && current == 0)
        for (address, argument) in [("/deck/remove", 9), ("/deck/play", 9)] {
            guard case .refused(let reason) = harness.send(address, .int(Int32(argument))) else {
                Issue.record("place 9 is not there")
                continue
            }
            #expect(reason.contains("the playlist is empty"))
        }
        guard case .refused = harness.send("/deck/add", .string("/etc/passwd")) else {
            Issue.record("a file elsewhere was accepted")
            return
        }
        guard case .refused = harness.send("/deck/add", .string("a.wav\nb.wav")) else {
            Issue.record("a name of two lines is taken")
            return
        }
    }

    @Test func aRecordingThatCannotBeReadIsLeftOut() throws {
        harness.send("/deck/list", .string([left, folder.path("missing.wav"), right].joined(separator: "\n")))
        harness.send("/deck/play", .int(1))
        harness.until("the one after the missing one plays") { current == 3 }
        #expect(harness.notices.contains { $0.contains("the playlist skips a recording") && $0.contains("missing.wav") })
    }

    @Test func aSessionKeepsTheList() {
        fill()
        harness.send("/deck/repeat", .string("all"))
        harness.send("/deck/crossfade", .float(2.5))
        harness.send("/deck/play", .int(2))
        harness.send("/session/save-as", .string("evening"))
        harness.send("/deck/clear")
        harness.send("/deck/repeat", .string("none"))
        harness.send("/session/load", .string("evening"))
        #expect(harness.text("/deck/list").split(separator: "\n").count == 3)
        #expect(harness.number("/deck/repeat") == 2 && harness.number("/deck/crossfade") == 2.5 && current == 2)
    }

    @Test func loopDecidesOutsideTheList() {
        fill()
        harness.send("/transport/loop", .bool(true))
        harness.send("/deck/play", .int(3))
        harness.until("the list ends in spite of Loop") { harness.number("/transport/state") == Float(TransportParameter.stopped) }
        harness.send("/deck/clear")
        harness.send("/transport/play")
        harness.pull(3 * 2 * 48_000 / 64)
        #expect(harness.number("/transport/state") == Float(TransportParameter.playing))
    }

    @Test func aRecordingThatIsLoadedReplacesOneThatWasAboutToFollow() {
        fill()
        harness.send("/deck/repeat", .string("all"))
        harness.send("/deck/crossfade", .float(0.5))
        harness.send("/deck/play", .int(1))
        harness.until("the first is heard") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        harness.send("/deck/next")
        harness.send("/session/recording", .string(third))
        #expect(current == 3)
        harness.until("the list goes on") { current == 1 }
        harness.until("and on") { current == 2 }
    }

    @Test func aRecordingThatIsMissingLeavesThePlaylistAsItWas() {
        harness.send("/deck/list", .string([left, folder.path("missing.wav"), right].joined(separator: "\n")))
        harness.send("/deck/play", .int(1))
        harness.until("the third one waits") { harness.notices.contains { $0.contains("the playlist skips a recording") } }
        guard case .refused = harness.send("/deck/next") else {
            Issue.record("a missing recording was loaded")
            return
        }
        #expect(current == 1 && harness.text("/session/recording") == left)
        harness.until("the third one follows") { current == 3 }
    }
}
