import Binaural
import FileOutput
import Foundation
import Testing

@testable import Media

/// Files whose names macOS has decomposed, opened by the composed names that people type.
@Suite struct EquivalentNamesTests {
    let fixture = SoundFixture()

    private func text(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: fixture.path(name)))
    }

    @Test func aRecordingHasItsSidecarAndItsVideo() throws {
        fixture.write("Pre\u{301}lude.wav", channels: 4, frames: 10) { _, _ in 0 }
        try text("Pr\u{E9}lude.json", #"{"array": {"radius": 0.09}, "video": {"file": "e\#u{301}te\#u{301}.webm"}}"#)
        for name in ["Pr\u{E9}lude.wav", "Pre\u{301}lude.wav"] {
            let reader = try RecordingReader(path: fixture.path(name))
            #expect(reader.array.radius == 0.09)
            #expect(try RecordingVideo.read(recording: fixture.path(name))?.place == fixture.path("\u{E9}t\u{E9}.webm"))
        }
    }

    @Test func aFolderOfMicrophonesIsFound() throws {
        try FileManager.default.createDirectory(atPath: fixture.path("me\u{301}le\u{301}e"), withIntermediateDirectories: true)
        for number in 1...4 { fixture.write("me\u{301}le\u{301}e/micro\u{302} \(number).wav", channels: 1, frames: 10) { _, _ in 0 } }
        try text("me\u{301}le\u{301}e/scene.json", #"{"array": {"radius": 0.08}}"#)
        let reader = try RecordingReader(path: fixture.path("m\u{E9}l\u{E9}e"))
        #expect(reader.channels == 4 && reader.array.radius == 0.08)
    }

    @Test func aSoundIsFoundByItsName() throws {
        fixture.write("voix fe\u{301}e.wav", channels: 1, frames: 10) { _, _ in 0 }
        let path = try SoundLibrary(folder: fixture.folder).path("voix f\u{E9}e.wav")
        #expect(Array(path.utf8) == Array(fixture.path("voix fe\u{301}e.wav").utf8))
        try ObjectSoundFile.check(path: fixture.path("voix f\u{E9}e.wav"))
    }
}
