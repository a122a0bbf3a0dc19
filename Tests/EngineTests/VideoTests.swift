import Foundation
import Hub
import Parameters
import Testing

/// The 360-degree video of a recording, as clients set it and sessions keep it.
@Suite struct VideoTests {
    let folder: TestFolder
    let harness: EngineHarness
    static let address = "https://example.org/hall.mp4"

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder)
        try harness.start()
    }

    @Test func aRecordingBringsItsVideo() throws {
        let recording = try folder.recording("hall.wav")
        try #"{"video": {"file": "\#(Self.address)", "offset": 80, "layout": "side-by-side", "yaw": -15}}"#
            .write(toFile: folder.path("hall.json"), atomically: true, encoding: .utf8)
        harness.send("/session/recording", .string(recording))
        #expect(harness.text("/transport/video/file") == Self.address && harness.number("/transport/video/offset") == 80)
        #expect(harness.number("/transport/video/layout") == 3 && harness.number("/transport/video/yaw") == -15)
        // One without a video takes it away.
        harness.send("/session/recording", .string(try folder.recording("other.wav")))
        #expect(harness.text("/transport/video/file") == "" && harness.number("/transport/video/offset") == 0)
    }

    @Test func aVideoThatCannotBeShownLeavesTheRecording() throws {
        let recording = try folder.recording("hall.wav")
        try #"{"video": {"file": "absent.mp4"}}"#.write(toFile: folder.path("hall.json"), atomically: true, encoding: .utf8)
        #expect(harness.send("/session/recording", .string(recording)) == .done)
        #expect(harness.notices.contains { $0.contains("absent.mp4") } && harness.text("/transport/video/file") == "")
        #expect(harness.number("/transport/duration") == 2)
    }

    @Test(arguments: ["http://example.org/a.mp4", "file:///etc/passwd", "/etc/passwd", "absent.mp4", "../absent.webm"])
    func whatIsNoVideoIsRefused(name: String) throws {
        harness.send("/transport/video/file", .string(Self.address))
        #expect(harness.send("/transport/video/file", .string(name)) != .done)
        #expect(harness.text("/transport/video/file") == Self.address)
    }

    @Test func sessionsKeepIt() throws {
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/video/file", .string(Self.address))
        harness.send("/transport/video/yaw", .float(190))
        #expect(harness.number("/transport/video/yaw") == -170)
        harness.send("/session/save-as", .string("film"))
        harness.send("/transport/video/file", .string(""))
        harness.send("/transport/video/yaw", .float(0))
        harness.send("/session/load", .string("film"))
        #expect(harness.text("/transport/video/file") == Self.address && harness.number("/transport/video/yaw") == -170)
    }
}
