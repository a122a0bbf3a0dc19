import Foundation
import Testing

@testable import Media

/// Nothing becomes a microphone because it is in the folder of a recording.
@Suite struct MicrophoneNamesTests {
    let fixture = SoundFixture()

    private func names(_ names: [String]) throws -> MicrophoneNames {
        try MicrophoneNames(NaturalOrder.sorted(names), least: 4)
    }

    private func problem(_ given: [String]) -> String {
        do throws(MicrophoneNames.Problem) {
            _ = try MicrophoneNames(NaturalOrder.sorted(given), least: 4)
            return ""
        } catch { return error.text }
    }

    private static let rings: [[String]] = [
        (1...8).map { "mic\($0).wav" }, (1...8).map { "Ring-0\($0).wav" }, (1...8).map { "00\($0).wav" }, (1...16).map { "CH\($0).wav" },
        (1...4).map { "T0\($0).wav" }, (1...8).map { "A\($0).wav" }, ["A.wav", "B.wav", "C.wav", "D.wav"],
        ["m0.wav", "m45.wav", "m-45.wav", "m90.wav"], (1...4).map { "2026-05-01 101500 mic \($0).wav" },
        ["A1.wav", "A2.wav", "B1.wav", "B2.wav"], ["Mic 1.wav", "mic_2.wav", "MIC-3.wav", "mic4.wav"],
        ["az0.0.wav", "az22.5.wav", "az45.0.wav", "az67.5.wav"], ["m1-az0.wav", "m2-az90.wav", "m3-az180.wav", "m4-az270.wav"],
        (1...4).map { "stem32 \($0).wav" }, (1...4).map { "ocean3d_\($0).wav" },
    ]

    @Test(arguments: rings) func filesThatDifferByANumberAreMicrophones(given: [String]) throws {
        let found = try names(given)
        #expect(found.others == [] && found.microphones == NaturalOrder.sorted(given))
    }

    private static let extras = [
        "Mix.wav", "stereo.wav", "slate.wav", "mic1 copy.wav", "mic1 (1).wav", "mic1_D.wav", "mic1 safety.wav", "Mix 9.wav", "mic.wav",
    ]

    @Test(arguments: extras) func anotherFileIsLeftOutWithAWarning(extra: String) throws {
        let found = try names((1...8).map { "mic\($0).wav" } + [extra])
        #expect(found.others == [extra] && found.microphones.count == 8)
    }

    @Test func filesOfSeveralSeriesAreRefused() {
        let takes = (1...2).flatMap { take in (1...4).map { "take\(take)_mic\($0).wav" } }
        #expect(problem(takes) == "take1_mic1.wav and take2_mic1.wav belong to different series")
        let dual = (1...4).flatMap { ["Tr\($0).wav", "Tr\($0)_D.wav"] }
        #expect(problem(dual).hasPrefix("it holds several series of files, such as "))
        #expect(problem(["mic1.wav", "mic01.wav", "mic2.wav", "mic3.wav"]) == "mic01.wav and mic1.wav have the same number")
        #expect(problem(["Mix.wav", "mic1.wav", "mic2.wav", "mic3.wav"]).contains("differ by more than a number"))
        #expect(problem(["01 Kick.wav", "02 Snare.wav", "03 Bass.wav", "04 Voice.wav"]).contains("differ by more than a number"))
    }

    private func write(_ names: [String]) {
        for name in names { fixture.write(name, channels: 1, frames: 10) { _, _ in 0 } }
    }

    @Test func theReaderSaysWhatItLeavesOut() throws {
        write((1...4).map { "mic\($0).wav" } + ["Mix.wav"])
        let reader = try RecordingReader(path: fixture.folder)
        #expect(reader.channels == 4 && reader.warnings.count == 1)
        #expect(
            reader.warnings.first?.contains("Mix.wav is not a microphone, as the name differs from mic1.wav by more than a number") == true)
        #expect(reader.warnings.first?.contains("scene.json") == true)
    }

    @Test func theDescriptionNamesOrCountsTheMicrophones() throws {
        write(["front.wav", "left.wav", "back.wav", "right.wav"])
        #expect {
            _ = try RecordingReader(path: fixture.folder)
        } throws: {
            "\($0)".contains(#"list the microphones' files in scene.json: {"array": {"files""#)
        }
        fixture.write("scene.json", text: #"{"array": {"azimuths": [180, 0, 90, -90]}}"#)
        #expect(try RecordingReader(path: fixture.folder).channels == 4)
        fixture.write("slate.wav", channels: 1, frames: 10) { _, _ in 0 }
        fixture.write("scene.json", text: #"{"array": {"files": ["front.wav", "right.wav", "back.wav", "left.wav"]}}"#)
        let reader = try RecordingReader(path: fixture.folder)
        #expect(reader.channels == 4 && reader.warnings == [])
        for wrong in ["mic.wav", "../x.wav", ""] {
            fixture.write("scene.json", text: #"{"array": {"files": ["front.wav", "right.wav", "back.wav", "\#(wrong)"]}}"#)
            #expect {
                _ = try RecordingReader(path: fixture.folder)
            } throws: {
                "\($0)".contains("array.files.4 is \"\(wrong)\", but there is no such file in the folder")
            }
        }
        fixture.write("scene.json", text: #"{"array": {"files": ["front.wav", "front.wav", "back.wav", "left.wav"]}}"#)
        #expect { _ = try RecordingReader(path: fixture.folder) } throws: { "\($0)".contains("array.files names front.wav twice") }
    }
}
