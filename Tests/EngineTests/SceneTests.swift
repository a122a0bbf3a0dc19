import Hub
import Parameters
import Testing

/// Storing and recalling scenes, and the crossfade between them.
@Suite struct SceneTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder)
        try harness.start(playing: folder)
        harness.send("/scene/store", .string("loud"))
        harness.send("/listener/1/gain", .float(-30))
        harness.send("/scene/store", .string("quiet"))
    }

    @Test func aRecallMovesTheGainAlongItsScale() {
        #expect(harness.text("/scene/names") == "loud\nquiet" && harness.text("/scene/current") == "quiet")
        // Longer than the test takes in real time; the harness's clock advances to its end.
        harness.send("/scene/crossfade", .float(60))
        #expect(harness.send("/scene/recall", .string("loud")) == .done)
        #expect(harness.text("/scene/current") == "loud" && harness.number("/listener/1/gain") == -30)
        harness.tick(after: 30)
        let middle = harness.number("/listener/1/gain")
        #expect(middle > -30 && middle < 0, "gain half way: \(middle) dB")
        #expect(abs(harness.settledLevel() - PlaybackTests.tone - harness.number("/listener/1/gain")) < 1)
        harness.tick(after: 90)
        #expect(harness.number("/listener/1/gain") == 0 && harness.number("/scene/progress") == 1)
        #expect(abs(harness.settledLevel() - PlaybackTests.tone) < 0.1)
        // A recall is one undo step.
        #expect(harness.send("/session/undo") == .done)
        #expect(harness.number("/listener/1/gain") == -30)
        #expect(abs(harness.settledLevel() - PlaybackTests.tone + 30) < 0.1)
    }

    @Test func aFaderThatIsMovedLeavesTheCrossfade() {
        harness.send("/scene/crossfade", .float(60))
        harness.send("/scene/recall", .string("loud"))
        harness.tick(after: 10)
        harness.send("/listener/1/gain", .float(-12))
        harness.tick(after: 120)
        #expect(harness.number("/listener/1/gain") == -12 && harness.number("/scene/progress") == 1)
    }

    @Test func aRecallWithoutACrossfadeIsHeardAtOnce() {
        harness.send("/scene/crossfade", .float(0))
        harness.send("/scene/recall", .string("loud"))
        #expect(harness.number("/listener/1/gain") == 0)
        #expect(abs(harness.settledLevel() - PlaybackTests.tone) < 0.1)
    }

    @Test func aRecallBringsTheEffectsOfTheScene() {
        harness.send("/scene/crossfade", .float(0))
        harness.send("/scene/recall", .string("loud"))
        harness.send("/rack/recording/add", .string("gate"))
        harness.send("/rack/recording/slot/1/gate/threshold", .float(0))
        harness.send("/scene/store", .string("closed"))
        harness.until("the gate closes") { harness.level().left < -80 }
        harness.send("/scene/recall", .string("loud"))
        #expect(harness.text("/rack/recording/layout") == "")
        harness.until("the tone is back") { abs(harness.level().left - PlaybackTests.tone) < 0.1 }
        harness.send("/scene/recall", .string("closed"))
        #expect(harness.number("/rack/recording/slot/1/gate/threshold") == 0)
        harness.until("the gate closes again") { harness.level().left < -80 }
    }

    @Test func aScenesRemovalIsUndone() {
        harness.send("/scene/remove", .string("loud"))
        #expect(harness.text("/scene/names") == "quiet")
        #expect(harness.send("/scene/recall", .string("loud")).text?.contains("there is no scene \"loud\"") == true)
        harness.send("/session/undo")
        #expect(harness.text("/scene/names") == "loud\nquiet")
    }
}
