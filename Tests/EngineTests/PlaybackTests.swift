import Foundation
import Hub
import Parameters
import Testing

/// Loading and playing a recording as clients do, and the resulting levels.
@Suite struct PlaybackTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder)
        try harness.start()
    }

    /// Level of the test recording's tone: 0.5 of full scale.
    static let tone: Float = -9.03

    @Test func aLoadedRecordingPlaysPausesAndStops() throws {
        #expect(harness.send("/session/recording", .string(try folder.recording())) == .done)
        #expect(harness.number("/array/count") == 8 && harness.number("/transport/duration") == 2)
        #expect(harness.settledLevel() < -100)
        harness.send("/transport/play")
        harness.until("the tone is heard at the left ear") { abs(harness.level().left - Self.tone) < 0.1 }
        #expect(harness.level().right < -60)
        #expect(harness.number("/transport/position") > 0)
        harness.send("/transport/pause")
        #expect(harness.settledLevel() < -100)
        let position = harness.number("/transport/position")
        #expect(position > 0)
        harness.send("/transport/stop")
        harness.until("the recording is at its beginning") { harness.number("/transport/position") == 0 }
    }

    @Test func theRecordingStopsAtItsEndUnlessItLoops() throws {
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/loop", .bool(false))
        harness.send("/transport/play")
        harness.until("the transport stops") { harness.number("/transport/state") == Float(TransportParameter.stopped) }
        #expect(harness.settledLevel() < -100)
        harness.send("/transport/loop", .bool(true))
        harness.send("/transport/play")
        // Three times the length of the recording.
        harness.pull(3 * 2 * 48_000 / 64)
        #expect(harness.number("/transport/state") == Float(TransportParameter.playing))
        #expect(abs(harness.settledLevel() - Self.tone) < 0.1)
    }

    @Test func aTurnedHeadHearsTheToneWithItsOtherEar() throws {
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/play")
        harness.until("the tone is at the left ear") { abs(harness.level().left - Self.tone) < 0.1 }
        harness.send("/listener/1/ypr", .float(180), .float(0), .float(0))
        harness.until("the tone is at the right ear") {
            let level = harness.level()
            return abs(level.right - Self.tone) < 0.1 && level.left < -60
        }
    }

    @Test func aRecordingThatCannotBeLoadedLeavesTheFormerOne() throws {
        let path = try folder.recording()
        harness.send("/session/recording", .string(path))
        harness.send("/transport/play")
        guard case .refused = harness.send("/session/recording", .string("/nowhere.wav")) else {
            Issue.record("a missing file was not refused")
            return
        }
        #expect(harness.text("/session/recording") == path)
        harness.until("the former recording is heard") { abs(harness.level().left - Self.tone) < 0.1 }
    }

    @Test func aMutedMicrophoneIsSilent() throws {
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/play")
        harness.until("the tone is heard") { abs(harness.level().left - Self.tone) < 0.1 }
        harness.send("/array/setting/mute", .float(0), .float(0), .float(0), .float(0), .float(0), .float(0), .float(1), .float(0))
        harness.until("the tone is gone") { harness.level().left < -40 }
        harness.send("/session/undo")
        harness.until("the tone is back") { abs(harness.level().left - Self.tone) < 0.1 }
    }
}
