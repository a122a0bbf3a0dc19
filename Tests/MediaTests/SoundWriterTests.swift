import FileOutput
import Foundation
import Media
import TestSupport
import Testing

extension SoundFixture {
    /// Names of all files in the folder.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
}

@Suite struct SoundWriterTests {
    static let samples: [Float] = (0..<2000).map { Float($0 % 97) / 97 - 0.5 }

    static func write(_ path: String, channels: Int = 1) throws {
        let writer = try SoundWriter(path: path, channels: channels, rate: 48_000)
        try writer.write(samples, frames: 500 / channels)
        try writer.write(Array(samples[500...]), frames: 1500 / channels)
        try writer.finish()
    }

    @Test(arguments: [("a.wav", "RIFF"), ("a.WAV", "RIFF"), ("a.rf64", "RF64"), ("a.w64", "riff"), ("a.caf", "caff")])
    func extensionSelectsTheContainer(name: String, mark: String) throws {
        let scratch = SoundFixture()
        try Self.write(scratch.path(name))
        let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))
        #expect(String(decoding: data.prefix(4), as: UTF8.self) == mark)
        #expect(scratch.names == [name])
        let file = try MonoFile(path: scratch.path(name))
        #expect(file.frames == 2000 && file.rate == 48_000 && file.name == "a")
        var back = [Float](repeating: 0, count: 2000)
        try file.seek(to: 0)
        #expect(try file.read(into: &back, frames: 2000) == 2000)
        #expect(back == Self.samples)
    }

    /// WAVE_FORMAT_IEEE_FLOAT with an empty extension, at any number of channels: SoX warns of WAVE_FORMAT_EXTENSIBLE in float files.
    @Test(arguments: ["a.wav", "a.rf64"], [1, 2, 20]) func theFormatChunkIsThePlainOneOfFloats(name: String, channels: Int) throws {
        let scratch = SoundFixture()
        try Self.write(scratch.path(name), channels: channels)
        let data = try [UInt8](Data(contentsOf: URL(fileURLWithPath: scratch.path(name))))
        var chunks: [String: [UInt8]] = [:]
        var place = 12
        while place + 8 <= data.count {
            let size = data[(place + 4)...].prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            let id = String(decoding: data[place...].prefix(4), as: UTF8.self)
            chunks[id] = Array(data[(place + 8)...].prefix(size))
            guard id != "data" else { break }
            place += 8 + size
        }
        func bytes(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        let samples = 4 * channels
        #expect(
            chunks["fmt "] == bytes(3, 2) + bytes(channels, 2) + bytes(48_000, 4) + bytes(48_000 * samples, 4) + bytes(samples, 2)
                + bytes(32, 2) + bytes(0, 2))
        #expect(chunks["fact"] == (name == "a.wav" ? bytes(2000 / channels, 4) : nil), "RF64 has the frames in ds64")
        #expect(data.count == place + 8 + 8000)
    }

    /// The file does not depend on the time of day.
    @Test func sameSoundSameFile() throws {
        let scratch = SoundFixture()
        for kind in SoundWriter.extensions { try Self.write(scratch.path("a." + kind), channels: 4) }
        let second = time(nil)
        waitUntil("the clock shows another second") { time(nil) > second }
        for kind in SoundWriter.extensions {
            try Self.write(scratch.path("b." + kind), channels: 4)
            let (a, b) = (scratch.path("a." + kind), scratch.path("b." + kind))
            #expect(FileManager.default.contentsEqual(atPath: a, andPath: b))
        }
    }

    @Test func unfinishedFileIsRemovedAndTheOldOneKept() throws {
        let scratch = SoundFixture()
        try Data("old".utf8).write(to: URL(fileURLWithPath: scratch.path("a.wav")))
        do {
            let writer = try SoundWriter(OutputFile(scratch.path("a.wav"), existing: .replaced), channels: 2, rate: 48_000)
            try writer.write(Self.samples, frames: 1000)
        }
        #expect(scratch.names == ["a.wav"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path("a.wav"))) == Data("old".utf8))
    }

    @Test func errorsStateTheReason() throws {
        let scratch = SoundFixture()
        func refusal(_ path: String, channels: Int = 1) -> String {
            do {
                _ = try SoundWriter(path: path, channels: channels, rate: 48_000)
                return ""
            } catch { return error.description }
        }
        #expect(refusal(scratch.path("a.mp3")).contains(".wav, .rf64, .w64, .caf"))
        #expect(refusal(scratch.path("wav")).contains("known kind"))
        #expect(refusal(scratch.path("no/a.wav")).contains("there is no folder"))
        try Data("old".utf8).write(to: URL(fileURLWithPath: scratch.path("c.wav")))
        #expect(refusal(scratch.path("c.wav")).contains("exists already"))
        #expect(refusal(scratch.path("a.wav"), channels: 0).contains("channels"))
        try FileManager.default.createDirectory(atPath: scratch.path("b.wav"), withIntermediateDirectories: true)
        #expect(refusal(scratch.path("b.wav")).contains("it is a folder"))
        #expect(scratch.names == ["b.wav", "c.wav"])
    }

    @Test func sourcesMustBeMono() throws {
        let scratch = SoundFixture()
        try Self.write(scratch.path("stereo.wav"), channels: 2)
        let stereo = #expect(throws: MediaError.self) { try MonoFile(path: scratch.path("stereo.wav")) }
        #expect(stereo?.description.contains("2 channels") == true && stereo?.description.contains("mono") == true)
        let missing = #expect(throws: MediaError.self) { try MonoFile(path: scratch.path("missing.wav")) }
        #expect(missing?.description.contains("No such file") == true)
    }
}
