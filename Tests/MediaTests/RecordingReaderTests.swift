import CSndFile
import Foundation
import Testing

@testable import Media

@Suite struct RecordingReaderTests {
    let fixture = SoundFixture()

    static let formats: [(ending: String, format: Int, channels: Int, tolerance: Float)] = [
        ("wav", Int(SF_FORMAT_WAV) | Int(SF_FORMAT_FLOAT), 16, 0),
        ("wav", Int(SF_FORMAT_WAV) | Int(SF_FORMAT_PCM_16), 64, 1 / 32768),
        ("wav", Int(SF_FORMAT_WAVEX) | Int(SF_FORMAT_PCM_24), 8, 1 / 8_388_608),
        ("rf64", Int(SF_FORMAT_RF64) | Int(SF_FORMAT_PCM_24), 16, 1 / 8_388_608),
        ("w64", Int(SF_FORMAT_W64) | Int(SF_FORMAT_FLOAT), 12, 0),
        ("caf", Int(SF_FORMAT_CAF) | Int(SF_FORMAT_FLOAT), 16, 0),
        ("aiff", Int(SF_FORMAT_AIFF) | Int(SF_FORMAT_PCM_24), 4, 1 / 8_388_608),
        ("flac", Int(SF_FORMAT_FLAC) | Int(SF_FORMAT_PCM_24), 8, 1 / 8_388_608),
    ]

    static func value(_ frame: Int, _ channel: Int) -> Float { sine(100 + Double(channel) * 50, 48000, frame) }

    func refusal(_ path: String) -> String {
        do {
            _ = try RecordingReader(path: path)
            return ""
        } catch {
            return error.description
        }
    }

    @Test(arguments: formats.indices) func everyFormatRoundTrips(index: Int) throws {
        let (ending, format, channels, tolerance) = Self.formats[index]
        let path = fixture.write(
            "a." + ending, format: format, channels: channels, rate: 44100, frames: 3000, sample: Self.value)
        var reader = try RecordingReader(path: path)
        #expect(reader.channels == channels)
        #expect(reader.rate == 44100)
        #expect(reader.frames == 3000)
        #expect(reader.warnings == [])
        var samples = [Float](repeating: 9, count: 4000 * channels)
        let got = try reader.read(into: &samples, frames: 4000)
        #expect(got == 3000)
        var worst: Float = 0
        for i in 0..<3000 * channels { worst = max(worst, abs(samples[i] - Self.value(i / channels, i % channels))) }
        #expect(worst <= tolerance)
        try reader.seek(frame: 2345)
        let one = try reader.read(into: &samples, frames: 1)
        #expect(one == 1)
        #expect(abs(samples[1] - Self.value(2345, 1)) <= tolerance)
    }

    @Test func missingFileSuggestsTheNearestName() {
        fixture.write("concert.wav", channels: 8, frames: 10, sample: Self.value)
        #expect(refusal(fixture.path("conzert.wav")).hasSuffix("does not exist. Did you mean concert.wav?"))
        #expect(refusal(fixture.path("x.flac")).hasSuffix("does not exist. Check the path."))
        #expect(refusal(fixture.path("none/x.flac")).contains("nor does the folder"))
    }

    @Test func invalidRecordingsAreRefused() {
        fixture.write("text.wav", text: "This is a letter, not a sound.\n")
        #expect(refusal(fixture.path("text.wav")).contains("is not a readable sound file"))
        fixture.write("empty.wav", channels: 8, frames: 0, sample: Self.value)
        #expect(refusal(fixture.path("empty.wav")).contains("contains no sound"))
        fixture.write("stereo.wav", channels: 2, frames: 10, sample: Self.value)
        #expect(refusal(fixture.path("stereo.wav")).contains("has 2 channels. A recording needs 4 to 64"))
        fixture.write("many.wav", channels: 65, frames: 10, sample: Self.value)
        #expect(refusal(fixture.path("many.wav")).contains("has 65 channels"))
        fixture.write("four.wav", channels: 4, frames: 10, sample: Self.value)
        #expect(refusal(fixture.path("four.wav")) == "")
    }

    @Test(arguments: [0, 2, 3, 4, 5, 6]) func truncatedFilePlaysWithAWarning(index: Int) throws {
        let (ending, format, channels, tolerance) = Self.formats[index]
        let path = fixture.write(
            "cut." + ending, format: format, channels: channels, frames: 20000, sample: Self.value)
        SoundFixture.cut(path, to: 0.5)
        var reader = try RecordingReader(path: path)
        #expect((9900...10000).contains(reader.frames))
        #expect(reader.warnings.count == 1)
        #expect(reader.warnings.first?.contains("is truncated: its header announces") == true)
        var samples = [Float](repeating: 9, count: 20000 * channels)
        let got = try reader.read(into: &samples, frames: 20000)
        #expect(got == reader.frames)
        #expect(abs(samples[got * channels - 1] - Self.value(got - 1, channels - 1)) <= tolerance)
    }

    @Test func samplesThatAreNotNumbersBecomeSilence() throws {
        let path = fixture.write("nan.wav", channels: 4, frames: 100) { frame, channel in
            frame == 50 ? [.nan, .infinity, -.infinity, 0.25][channel] : 0.5
        }
        var reader = try RecordingReader(path: path)
        var samples = [Float](repeating: 9, count: 400)
        _ = try reader.read(into: &samples, frames: 100)
        #expect(Array(samples[196..<208]) == [0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0.25, 0.5, 0.5, 0.5, 0.5])
    }
}
