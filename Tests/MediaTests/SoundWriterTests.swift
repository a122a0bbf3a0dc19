import Foundation
import Media
import Testing

/// A folder that is removed with its owner.
final class Scratch {
    let path = NSTemporaryDirectory() + "vestibule-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
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
    func theExtensionSaysWhich(name: String, mark: String) throws {
        let scratch = try Scratch()
        try Self.write(scratch(name))
        let data = try Data(contentsOf: URL(fileURLWithPath: scratch(name)))
        #expect(String(decoding: data.prefix(4), as: UTF8.self) == mark)
        #expect(scratch.names == [name])
        let file = try MonoFile(path: scratch(name))
        #expect(file.frames == 2000 && file.rate == 48_000 && file.name == "a")
        var back = [Float](repeating: 0, count: 2000)
        try file.seek(to: 0)
        #expect(try file.read(into: &back, frames: 2000) == 2000)
        #expect(back == Self.samples)
    }

    @Test func sameSoundSameFile() throws {
        let scratch = try Scratch()
        try Self.write(scratch("a.wav"), channels: 4)
        try Self.write(scratch("b.wav"), channels: 4)
        #expect(FileManager.default.contentsEqual(atPath: scratch("a.wav"), andPath: scratch("b.wav")))
    }

    @Test func unfinishedLeavesNothingAndKeepsTheOld() throws {
        let scratch = try Scratch()
        try Data("old".utf8).write(to: URL(fileURLWithPath: scratch("a.wav")))
        do {
            let writer = try SoundWriter(path: scratch("a.wav"), channels: 2, rate: 48_000)
            try writer.write(Self.samples, frames: 1000)
            #expect(scratch.names.count == 2)
        }
        #expect(scratch.names == ["a.wav"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("a.wav"))) == Data("old".utf8))
    }

    @Test func refusalsSayWhy() throws {
        let scratch = try Scratch()
        func refusal(_ path: String, channels: Int = 1) -> String {
            do {
                _ = try SoundWriter(path: path, channels: channels, rate: 48_000)
                return ""
            } catch { return error.description }
        }
        #expect(refusal(scratch("a.mp3")).contains(".wav, .rf64, .w64, .caf"))
        #expect(refusal(scratch("wav")).contains("which kind"))
        #expect(refusal(scratch("no/a.wav")).contains("there is no folder"))
        #expect(refusal(scratch("a.wav"), channels: 0).contains("channels"))
        try FileManager.default.createDirectory(atPath: scratch("b.wav"), withIntermediateDirectories: true)
        #expect(refusal(scratch("b.wav")).contains("is a folder"))
        #expect(scratch.names == ["b.wav"])
    }

    @Test func sourcesMustBeMono() throws {
        let scratch = try Scratch()
        try Self.write(scratch("stereo.wav"), channels: 2)
        let stereo = #expect(throws: MediaError.self) { try MonoFile(path: scratch("stereo.wav")) }
        #expect(stereo?.description.contains("2 channels") == true && stereo?.description.contains("mono") == true)
        let missing = #expect(throws: MediaError.self) { try MonoFile(path: scratch("missing.wav")) }
        #expect(missing?.description.contains("No such file") == true)
    }
}
