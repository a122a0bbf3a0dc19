import Binaural
import Foundation
import Testing

@testable import Media

@Suite struct FolderRecordingTests {
    let fixture = SoundFixture()

    func refusal(_ path: String) -> String {
        do {
            _ = try RecordingReader(path: path)
            return ""
        } catch {
            return error.description
        }
    }

    func writeMicrophones(_ numbers: ClosedRange<Int>) {
        for number in numbers {
            fixture.write("mic\(number).wav", channels: 1, frames: 5000) { frame, _ in
                Float(number) / 64 + Float(frame) / 65536
            }
        }
    }

    @Test func numbersOrderNames() {
        let names = ["mic10.wav", "Mic2.wav", "mic1.wav", "mic02.wav", "take12 mic3.wav", "take2 mic4.wav"]
        #expect(
            names.sorted(by: NaturalOrder.precedes) == [
                "mic1.wav", "Mic2.wav", "mic02.wav", "mic10.wav", "take2 mic4.wav", "take12 mic3.wav",
            ])
    }

    @Test func monoFilesBecomeChannelsInTheOrderOfTheirNumbers() throws {
        writeMicrophones(1...12)
        fixture.write("notes.txt", text: "Not a sound file, not a matter.")
        fixture.write(".mic3.wav", text: "Hidden.")
        var reader = try RecordingReader(path: fixture.folder)
        #expect(reader.channels == 12)
        #expect(reader.frames == 5000)
        try reader.seek(frame: 100)
        var samples = [Float](repeating: 0, count: 12 * 4500)
        let got = try reader.read(into: &samples, frames: 4500)
        #expect(got == 4500)
        var wrong = 0
        for i in samples.indices where samples[i] != Float(i % 12 + 1) / 64 + Float(100 + i / 12) / 65536 { wrong += 1 }
        #expect(wrong == 0)
    }

    @Test func mismatchedFilesOfAFolderAreRefusedByName() {
        writeMicrophones(1...3)
        #expect(refusal(fixture.folder).contains("holds 3 sound files. A recording needs 4 to 64"))
        writeMicrophones(4...4)
        #expect(refusal(fixture.folder) == "")
        fixture.write("mic5.wav", channels: 1, rate: 44100, frames: 5000) { _, _ in 0 }
        #expect(refusal(fixture.folder).contains("mic5.wav has 44100 Hz"))
        fixture.write("mic5.wav", channels: 1, frames: 4999) { _, _ in 0 }
        #expect(refusal(fixture.folder).contains("mic5.wav has 4999 frames"))
        fixture.write("mic5.wav", channels: 2, frames: 5000) { _, _ in 0 }
        #expect(refusal(fixture.folder).contains("mic5.wav has 2 channels"))
        fixture.write("mic5.wav", text: "Nothing to hear.")
        #expect(refusal(fixture.folder).contains("mic5.wav is not a readable sound file"))
    }

    @Test func missingNumberIsAWarning() throws {
        writeMicrophones(1...5)
        let whole = try RecordingReader(path: fixture.folder)
        #expect(whole.warnings == [])
        try FileManager.default.removeItem(atPath: fixture.path("mic3.wav"))
        let broken = try RecordingReader(path: fixture.folder)
        #expect(
            broken.warnings == ["A number is missing between mic2.wav and mic4.wav. Check that no microphone is missing."])
        // Azimuths in even steps have no gap.
        #expect(RecordingFolder.gap(in: ["m0.wav", "m45.wav", "m90.wav", "m135.wav"]) == nil)
    }

    @Test func sidecarGivesTheMicrophonePositions() throws {
        let path = fixture.write("hall.wav", channels: 4, frames: 10) { _, _ in 0 }
        let plain = try RecordingReader(path: path)
        #expect(plain.array.azimuthList == MicrophoneArray.uniform(count: 4).azimuthList)
        fixture.write(
            "hall.json",
            text: #"{"version": 1, "array": {"count": 4, "radius": 0.1, "azimuths": [730, 100, 190, -80]}}"#)
        let told = try RecordingReader(path: path)
        #expect(told.array.azimuthList == [10, 100, -170, -80])
        #expect(told.array.radius == 0.1)
        writeMicrophones(1...4)
        fixture.write("scene.json", text: #"{"array": {"radius": 0.09}}"#)
        try FileManager.default.removeItem(atPath: path)
        let folder = try RecordingReader(path: fixture.folder + "/")
        #expect(folder.array.azimuthList == plain.array.azimuthList)
        #expect(folder.array.radius == 0.09)
    }

    static let wrongSidecars = [
        (#"{"array": "#, "is not JSON"),
        (#"{"array": {"azimuths": "left"}}"#, "the field array.azimuths is missing or of the wrong type"),
        (#"{"array": {"azimuths": [0, 90, 180]}}"#, "array.azimuths has 3 values, but the recording has 4 channels"),
        (#"{"array": {"count": 8}}"#, "array.count is 8, but the recording has 4 channels"),
        (#"{"array": {"radius": 8.75}}"#, "array.radius is 8.75"),
        (#"{"array": {"azimuths": [0, 90, 180, 360]}}"#, "array.azimuths.1 and array.azimuths.4 are the same position"),
        (#"{"array": {"azimuths": [0, 90, 180, 1e9]}}"#, "array.azimuths.4 is"),
    ]

    @Test(arguments: wrongSidecars) func wrongSidecarIsRefused(text: String, reason: String) {
        let path = fixture.write("hall.wav", channels: 4, frames: 10) { _, _ in 0 }
        fixture.write("hall.json", text: text)
        #expect(refusal(path).contains(reason))
        #expect(refusal(path).contains("hall.json"))
    }
}
