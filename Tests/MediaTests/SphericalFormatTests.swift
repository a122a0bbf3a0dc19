import CSndFile
import Foundation
import Testing

@testable import Media

/// Ambisonics and spherical arrays are not played as a ring of microphones without a word.
@Suite struct SphericalFormatTests {
    let fixture = SoundFixture()

    @Test(arguments: [
        ("garden_ambix.wav", "ambix"), ("GardenAmbiX.wav", "ambix"), ("hall ACN.wav", "acn"), ("x_SN3D_y.caf", "sn3d"),
        ("B-Format 1.wav", "b-format"), ("fuma.wav", "fuma"), ("em32_take3.wav", "em32"), ("Zylia ZM-1.wav", "zylia"), ("zm-1.wav", "zm-1"),
        ("ambix3.wav", "ambix"),
    ]) func wordsOfNamesAreFound(name: String, word: String) {
        #expect(SphericalFormat.word(name)?.word == word)
    }

    @Test(arguments: [
        "stem32.wav", "STEM32.wav", "ocean3d.wav", "brazylia.wav", "fumarole.wav", "em320.wav", "zm-10.wav", "pacn.wav", "scene.wav",
        "em3.wav", "Ring-01.wav",
    ]) func otherNamesAreNot(name: String) {
        #expect(SphericalFormat.word(name) == nil)
    }

    @Test func aNameIsAWarningUnlessTheArrayIsDescribed() throws {
        let path = fixture.write("garden_ambix.wav", channels: 16, frames: 10) { _, _ in 0 }
        #expect(try RecordingReader(path: path).warnings.first?.contains("By its name (\"ambix\") it is ambisonic") == true)
        fixture.write("garden_ambix.json", text: #"{"array": {"count": 16}}"#)
        #expect(try RecordingReader(path: path).warnings == [])
        // No format of these words has 8 channels.
        let ring = fixture.write("em32 ring.wav", channels: 8, frames: 10) { _, _ in 0 }
        #expect(try RecordingReader(path: ring).warnings == [])
        let sphere = fixture.write("em32.wav", channels: 32, frames: 10) { _, _ in 0 }
        #expect(try RecordingReader(path: sphere).warnings.first?.contains("from a spherical array") == true)
    }

    @Test func namesInAFolderCountAsWell() throws {
        for number in 1...9 { fixture.write("take_ACN_\(number).wav", channels: 1, frames: 10) { _, _ in 0 } }
        #expect(try RecordingReader(path: fixture.folder).warnings.first?.contains("By its name (\"acn\")") == true)
    }

    @Test func bFormatInTheHeaderOfAWAVFileIsRefused() throws {
        var info = SF_INFO()
        (info.channels, info.samplerate, info.format) = (4, 48_000, Int32(SF_FORMAT_WAVEX) | Int32(SF_FORMAT_FLOAT))
        let path = fixture.path("scene.wav")
        let file = try #require(sf_open(path, Int32(SFM_WRITE), &info))
        sf_command(file, Int32(SFC_WAVEX_SET_AMBISONIC), nil, Int32(SF_AMBISONIC_B_FORMAT))
        sf_writef_float(file, [Float](repeating: 0, count: 40), 10)
        sf_close(file)
        #expect { _ = try RecordingReader(path: path) } throws: { "\($0)".contains("is ambisonic (B-format)") }
    }

    /// A CAF file of floats with a chunk before its sound.
    private func caf(_ name: String, channels: Int, chunk: (type: String, contents: [UInt8])) throws -> String {
        let path = fixture.write(name, format: Int(SF_FORMAT_CAF) | Int(SF_FORMAT_FLOAT), channels: channels, frames: 10) { _, _ in 0 }
        var data = try Data(contentsOf: URL(filePath: path))
        let place = try #require(data.range(of: Data("data".utf8))).lowerBound
        let size = UInt64(chunk.contents.count).bigEndian
        let header = Data(chunk.type.utf8) + withUnsafeBytes(of: size) { Data($0) }
        data.insert(contentsOf: header + Data(chunk.contents), at: place)
        try data.write(to: URL(filePath: path))
        return path
    }

    @Test(arguments: [
        ("uuid", Array("IEM.AT/AMBIX/XML".utf8) + [0, 0, 0, 0], "AmbiX"),
        (
            "uuid", [0x1A, 0xD3, 0x18, 0xC3, 0x00, 0xE5, 0x55, 0x76, 0xBE, 0x2D, 0x0D, 0xCA, 0x24, 0x60, 0xBC, 0x89, 0, 0, 0, 0], "AmbiX"
        ),
        ("chan", [0, 190, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0], "ACN, SN3D"),
    ]) func headersOfAmbisonicFilesAreRefused(type: String, contents: [UInt8], format: String) throws {
        let path = try caf("scene.caf", channels: 4, chunk: (type, contents))
        #expect { _ = try RecordingReader(path: path) } throws: { "\($0)".contains("is ambisonic (\(format)), not a ring of microphones") }
        fixture.write("scene.json", text: #"{"array": {"count": 4}}"#)
        #expect(try RecordingReader(path: path).channels == 4)
        let other = try caf("other.caf", channels: 4, chunk: ("uuid", [UInt8](repeating: 1, count: 20)))
        #expect(try RecordingReader(path: other).channels == 4)
    }
}
