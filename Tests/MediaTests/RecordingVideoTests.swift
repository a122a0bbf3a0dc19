import Testing

@testable import Media

/// The field `video` of the file beside a recording.
@Suite struct RecordingVideoTests {
    let fixture = SoundFixture()

    func read(_ text: String?) throws -> RecordingVideo? {
        if let text { fixture.write("hall.json", text: text) }
        return try RecordingVideo.read(recording: fixture.folder + "/hall.wav")
    }

    func refusal(_ text: String) -> String {
        do {
            _ = try read(text)
            return ""
        } catch { return "\(error)" }
    }

    @Test func withoutTheFileOrTheFieldThereIsNone() throws {
        #expect(try read(nil) == nil)
        #expect(try read(#"{"title": "Hall"}"#) == nil)
    }

    @Test func fileIsBesideTheRecording() throws {
        let video = try #require(try read(#"{"video": {"file": "hall.webm", "offset": -120, "layout": "top-bottom", "yaw": 12.5}}"#))
        #expect(video.place == fixture.folder + "/hall.webm")
        #expect(video.offset == -120 && video.layout == .topBottom && video.yaw == 12.5 && video.pitch == 0)
        #expect(try read(#"{"video": {"file": "https://example.org/a.mp4"}}"#)?.place == "https://example.org/a.mp4")
        for address in ["https://example.org/a b.mp4", "https://", "https:///a.mp4", "https://example.org/\u{22}", "https://e.org/\u{e9}"] {
            #expect(!RecordingVideo.isAddress(address), "\(address)")
        }
    }

    @Test(arguments: [
        (#"{"video": 7}"#, "field \"video\" cannot be understood"),
        (#"{"video": {"offset": 2}}"#, "field \"video\" cannot be understood"),
        (#"{"video": {"file": "../secret.mp4"}}"#, "video.file is neither"),
        (#"{"video": {"file": "/etc/passwd"}}"#, "video.file is neither"),
        (#"{"video": {"file": ".hidden.mp4"}}"#, "video.file is neither"),
        (#"{"video": {"file": "http://example.org/a.mp4"}}"#, "video.file is neither"),
        (#"{"video": {"file": "a.mp4", "layout": "cube"}}"#, "must be auto, mono, top-bottom, side-by-side"),
        (#"{"video": {"file": "a.mp4", "yaw": 181}}"#, "video.yaw is 181.0, but must be -180.0 to 180.0"),
        (#"{"video": {"file": "a.mp4", "roll": -90.5}}"#, "video.roll is -90.5"),
        (#"{"video": {"file": "a.mp4", "offset": 1e9}}"#, "video.offset is"),
    ])
    func wrongFieldsAreRefused(text: String, reason: String) {
        #expect(refusal(text).contains(reason), "\(refusal(text))")
    }

    @Test func filesThatAreNoVideoAreRefused() throws {
        let path = fixture.write("noise.wav", channels: 1, frames: 4800) { _, _ in 0 }
        #expect(throws: MediaError.self) { try VideoFacts(path: path) }
        fixture.write("text.webm", text: "No video.")
        #expect { try VideoFacts(path: fixture.folder + "/text.webm") } throws: { "\($0)".contains("not a video that browsers play") }
        #expect { try VideoFacts(path: fixture.folder + "/absent.mp4") } throws: { "\($0)".contains("absent.mp4") }
    }
}
