import CSndFile
import Foundation
import Testing

@testable import Media

/// Sound files whose headers state a wrong length, as recorders leave them that lost their power, and files of BW64.
@Suite struct UnfinishedSoundTests {
    let fixture = SoundFixture()
    static let frames = 2000

    /// Bytes of a number.
    static func number(_ value: UInt64, _ count: Int, big: Bool = false) -> Data {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        return Data(big ? little.reversed() : little)
    }

    static func chunk(_ name: String, _ body: Data, size: UInt64? = nil, big: Bool = false, filler: Bool = true) -> Data {
        let fill = filler && size == nil && body.count % 2 == 1 ? Data([0]) : Data()
        return Data(name.utf8) + number(size ?? UInt64(body.count), 4, big: big) + body + fill
    }

    static func sample(_ frame: Int, _ channel: Int) -> Int16 { Int16(truncatingIfNeeded: 40 + frame * 7 + channel * 1001) }

    static func samples(_ channels: Int, big: Bool = false) -> Data {
        var data = Data()
        for frame in 0..<frames {
            for channel in 0..<channels { data += number(UInt64(UInt16(bitPattern: sample(frame, channel))), 2, big: big) }
        }
        return data
    }

    static func format(_ channels: Int, big: Bool = false) -> Data {
        let numbers: [(UInt64, Int)] = [
            (1, 2), (UInt64(channels), 2), (48_000, 4), (UInt64(96_000 * channels), 4), (UInt64(2 * channels), 2), (16, 2),
        ]
        return chunk("fmt ", numbers.reduce(Data()) { $0 + number($1.0, $1.1, big: big) }, big: big)
    }

    static func wave(_ chunks: Data, _ name: String = "RIFF", size: UInt64 = 0, big: Bool = false) -> Data {
        Data(name.utf8) + number(size, 4, big: big) + Data("WAVE".utf8) + chunks
    }

    static func wide(_ size: UInt64) -> Data { chunk("ds64", number(size &+ 80, 8) + number(size, 8) + number(0, 8) + number(0, 4)) }

    static func w64(_ size: UInt64) -> Data {
        let tail = Data([0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A])
        let riff = Data([0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00])
        let form = format(8).dropFirst(8)
        let parts: [Data] = [
            Data("riff".utf8), riff, number(0, 8), Data("wave".utf8), tail, Data("fmt ".utf8), tail, number(40, 8), form,
            Data("data".utf8), tail, number(size, 8), samples(8),
        ]
        return Data(parts.joined())
    }

    static func aiff(_ size: UInt64, frames: UInt64 = 0) -> Data {
        let rate = Data([0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0])
        let common = number(8, 2, big: true) + number(frames, 4, big: true) + number(16, 2, big: true) + rate
        return Data("FORM".utf8) + number(0, 4) + Data("AIFF".utf8) + chunk("COMM", common, big: true)
            + chunk("SSND", number(0, 8) + samples(8, big: true), size: size, big: true)
    }

    static func caf(_ size: UInt64, _ more: Data = Data()) -> Data {
        var form = number((48_000.0).bitPattern, 8, big: true) + Data("lpcm".utf8)
        for value in [2, 16, 1, 8, 16] as [UInt64] { form += number(value, 4, big: true) }
        let parts: [Data] = [
            Data("caff".utf8), number(1, 2, big: true), number(0, 2), Data("desc".utf8), number(32, 8, big: true), form, more,
            Data("data".utf8), number(size, 8, big: true), number(0, 4), samples(8),
        ]
        return Data(parts.joined())
    }

    static func data(_ size: UInt64, channels: Int = 8) -> Data { format(channels) + chunk("data", samples(channels), size: size) }

    static let whole = UInt64(frames * 16)
    static let unstated: UInt64 = 0xFFFF_FFFF

    /// Files of 2000 frames, and a part of the warning; empty for none.
    static let files: [(String, Data, String)] = [
        ("zero.wav", wave(data(0)), "states 0 bytes of sound. All 32000 bytes (0.042 s) are played"),
        ("zero36.wav", wave(data(0), size: 36), "states 0 bytes"),
        ("pipe.wav", wave(data(unstated), size: unstated), "has no length in its header"),
        ("half.wav", wave(data(0x7FFF_FFFF)), "has no length in its header"),
        ("beyond.wav", wave(data(whole + 4000)), "is truncated: its header announces 36000 bytes of sound, the file has 32000"),
        ("right.wav", wave(data(whole)), ""),
        ("rifx.wav", wave(format(8, big: true) + chunk("data", samples(8, big: true), size: 0, big: true), "RIFX", big: true), "0 bytes"),
        ("zero.rf64", wave(wide(0) + data(unstated), "RF64", size: unstated), "0 bytes"),
        ("right.rf64", wave(wide(whole) + data(unstated), "RF64", size: unstated), ""),
        ("right-bw64.wav", wave(wide(whole) + data(unstated), "BW64", size: unstated), ""),
        ("zero-bw64.wav", wave(wide(0) + data(unstated), "BW64", size: unstated), "0 bytes"),
        (
            "adm.wav",
            wave(
                wide(whole) + format(8) + chunk("chna", number(0, 4)) + chunk("axml", Data("<adm/>".utf8))
                    + chunk("data", samples(8), size: unstated), "BW64", size: unstated), ""
        ),
        ("small-bw64.wav", wave(data(whole) + chunk("axml", Data("<adm/>".utf8)), "BW64", size: whole + 60), ""),
        ("zero.w64", w64(0), "0 bytes"), ("unstated.w64", w64(UInt64.max), "no length"), ("right.w64", w64(whole + 24), ""),
        ("zero.aiff", aiff(0), "0 bytes"), ("begun.aiff", aiff(8), "0 bytes"), ("right.aiff", aiff(whole + 8, frames: 2000), ""),
        ("open.caf", caf(UInt64.max), "no length"),
        (
            "chunks.caf", caf(UInt64.max, Data("free".utf8) + number(4000, 8, big: true) + Data(count: 4000)),
            "no length"
        ),
        ("zero.caf", caf(0), "0 bytes"), ("right.caf", caf(whole + 4), ""),
        (
            "filler.wav",
            wave(format(8) + chunk("LIST", Data("abcde".utf8), filler: false) + chunk("data", samples(8), size: whole)), ""
        ),
        ("name.wav", wave(format(8) + Data([1, 2, 0xFF, 0xFE]) + number(6, 4) + Data(count: 6) + chunk("data", samples(8))), ""),
        (
            "before.wav",
            wave(chunk("JUNK", Data(count: 28)) + chunk("bext", Data(count: 603)) + chunk("iXML", Data("<a/>".utf8)) + data(0)),
            "0 bytes"
        ),
        ("behind.wav", wave(data(whole) + Data(repeating: 0x83, count: 5000)), "goes on for 5000 bytes after the end"),
        ("list.wav", wave(data(whole) + chunk("LIST", Data(count: 5000))), ""), ("zeros.wav", wave(data(whole) + Data(count: 5000)), ""),
    ]

    @Test(arguments: files.indices) func soundIsReadToItsEnd(index: Int) throws {
        let (name, bytes, words) = Self.files[index]
        try bytes.write(to: URL(filePath: fixture.path(name)))
        var reader = try RecordingReader(path: fixture.path(name))
        #expect(reader.frames == Self.frames && reader.channels == 8 && reader.rate == 48_000, "\(name): \(reader.frames)")
        #expect(reader.warnings.count == (words.isEmpty ? 0 : 1), "\(name): \(reader.warnings)")
        if !words.isEmpty { #expect(reader.warnings.first?.contains(words) == true, "\(name): \(reader.warnings)") }
        var samples = [Float](repeating: 9, count: 8 * Self.frames)
        #expect(try reader.read(into: &samples, frames: Self.frames) == Self.frames)
        let expected = (0..<8 * Self.frames).map { Float(Self.sample($0 / 8, $0 % 8)) / 32768 }
        #expect(samples == expected, "\(name)")
        try reader.seek(frame: 1234)
        #expect(try reader.read(into: &samples, frames: 1) == 1)
        #expect(Array(samples[..<8]) == Array(expected[(8 * 1234)..<(8 * 1235)]), "\(name)")
    }

    /// Files that were not finished may be sent to the engine; those that are shorter than announced are to be sent again.
    @Test func onlyCutFilesAreRefusedWhereTheyAreSent() throws {
        for (name, bytes, words) in Self.files {
            try bytes.write(to: URL(filePath: fixture.path(name)))
            var refusal = ""
            do { try CutFile.refuse(path: fixture.path(name)) } catch { refusal = "\(error)" }
            #expect(refusal.isEmpty != words.contains("truncated"), "\(name)")
            #expect(refusal.isEmpty || refusal.hasSuffix("the file has 32000. Send the whole file."), "\(refusal)")
        }
    }

    /// Every file of a folder of mono files, and sounds of objects.
    @Test func monoFilesAreReadToTheirEnds() throws {
        for number in 1...4 { try Self.wave(Self.data(0, channels: 1)).write(to: URL(filePath: fixture.path("mic\(number).wav"))) }
        let reader = try RecordingReader(path: fixture.folder)
        #expect(reader.frames == Self.frames && reader.channels == 4 && reader.warnings.count == 4)
        let sound = try #require(try ObjectSoundFile.read(path: fixture.path("mic1.wav"), rate: 48_000))
        #expect(sound.mono.count == Self.frames && sound.warnings.count == 1)
    }

    /// The files of an interrupted recorder have different lengths, of which the shortest counts.
    @Test func interruptedFoldersArePlayedAsLongAsTheShortest() throws {
        for number in 1...4 {
            let bytes = Self.wave(Self.data(0, channels: 1))
            try bytes.dropLast(number * 200).write(to: URL(filePath: fixture.path("mic\(number).wav")))
        }
        var reader = try RecordingReader(path: fixture.folder)
        #expect(reader.frames == Self.frames - 400)
        #expect(reader.warnings.count == 5 && reader.warnings.last?.contains("mic4.wav, the shortest") == true)
        var samples = [Float](repeating: 0, count: 4 * Self.frames)
        #expect(try reader.read(into: &samples, frames: Self.frames) == reader.frames)
    }

    func refusal(_ name: String, _ bytes: Data) throws -> String {
        try bytes.write(to: URL(filePath: fixture.path(name)))
        do {
            _ = try SoundFile(path: fixture.path(name))
            return ""
        } catch { return error.description }
    }

    @Test func emptyFilesStayEmpty() throws {
        let list = Self.chunk("LIST", Data("INFOISFT".utf8) + Self.number(4, 4) + Data("abcd".utf8))
        for end in [Data(), list] {
            let words = try refusal("empty.wav", Self.wave(Self.format(8) + Self.chunk("data", Data()) + end))
            #expect(words.contains("contains no sound") && !words.contains("again"), "\(words)")
        }
    }

    /// Sizes that overflow are beyond the end of the file.
    @Test func hugeSizesDoNoHarm() throws {
        let sizes: [UInt64] = [1 << 61, 1 << 62, 1 << 63, .max - 1]
        for size in sizes {
            for bytes in [Self.caf(size), Self.w64(size), Self.wave(Self.wide(size) + Self.data(Self.unstated), "RF64")] {
                try bytes.write(to: URL(filePath: fixture.path("huge")))
                let file = try SoundFile(path: fixture.path("huge"))
                #expect(file.frames == Self.frames && file.warnings.count == 1, "\(size)")
            }
        }
        // A format chunk, and chunks before the sound, that are larger than the file.
        _ = try refusal("a.wav", Self.wave(Self.chunk("fmt ", Data(count: 16), size: 0xFFFF_FFF0) + Self.data(0)))
        _ = try refusal("b.caf", Self.caf(0, Data("free".utf8) + Self.number(.max, 8)))
        _ = try refusal("c.aiff", Self.aiff(0).dropLast(Int(Self.whole) + 4))
        for count in 0..<60 { _ = try refusal("d.wav", Self.wave(Self.data(0)).prefix(count)) }
    }

    /// What is read is what was there when the file was opened.
    @Test func growingFilesKeepTheirLengths() throws {
        let path = fixture.path("grows.wav")
        try Self.wave(Self.data(0)).write(to: URL(filePath: path))
        let file = try SoundFile(path: path)
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(repeating: 1, count: 100_000))
        try handle.close()
        var samples = [Float](repeating: 0, count: 8 * 10_000)
        #expect(try file.read(into: &samples, frames: 10_000) == Self.frames)
        #expect(try SoundFile(path: path).frames > Self.frames)
        // A file that has become shorter ends early.
        try file.seek(frame: 0)
        truncate(path, 1000)
        #expect(try file.read(into: &samples, frames: 10_000) < Self.frames)
    }

    // MARK: FLAC

    func flac(_ frames: Int) throws -> Data {
        let path = fixture.write("whole.flac", format: SoundFixture.flac, channels: 4, frames: frames) { sine(400, 48_000, $0 + $1 * 20) }
        return try Data(contentsOf: URL(filePath: path))
    }

    @Test(arguments: [0.3, 0.5, 0.77, 0.999]) func flacIsPlayedToWhereItIsCut(share: Double) throws {
        let bytes = try flac(50_000)
        try bytes.prefix(Int(Double(bytes.count) * share)).write(to: URL(filePath: fixture.path("cut.flac")))
        let file = try SoundFile(path: fixture.path("cut.flac"))
        #expect(file.frames > Int(50_000 * share) - 8192 && file.frames < 50_000 && file.cut != nil)
        #expect(file.warnings.count == 1 && file.warnings[0].contains("announces 50000 frames of sound, the file has \(file.frames)."))
        var samples = [Float](repeating: 0, count: 4 * 50_000)
        #expect(try file.read(into: &samples, frames: 50_000) == file.frames)
        let worst = (0..<4 * file.frames).map { abs(samples[$0] - sine(400, 48_000, $0 / 4 + $0 % 4 * 20)) }.max() ?? 1
        #expect(worst < 1e-6)
        try file.seek(frame: file.frames - 1)
        #expect(try file.read(into: &samples, frames: 9) == 1)
    }

    /// Encoders that write to a pipe leave the length at 0.
    @Test func flacWithoutALengthIsPlayed() throws {
        var bytes = try flac(50_000)
        bytes[21] &= 0xF0
        bytes.replaceSubrange(22..<26, with: Data(count: 4))
        try bytes.write(to: URL(filePath: fixture.path("pipe.flac")))
        let file = try SoundFile(path: fixture.path("pipe.flac"))
        #expect(file.frames == 50_000 && file.cut == nil && file.warnings.count == 1)
        #expect(file.warnings[0].contains("no length in its header"))
    }

    @Test func flacWithoutAWholeBlockIsRefused() throws {
        let words = try refusal("begin.flac", try flac(50_000).prefix(1000))
        #expect(words.contains("truncated"))
    }

    // MARK: Other files

    @Test func otherFilesAreNamed() throws {
        let convert = "ffmpeg -i"
        let files: [(String, Data, [String])] = [
            ("in.m4a", Data(count: 4) + Data("ftypM4A ".utf8) + Data(count: 100), ["MP4", convert]),
            ("a.dsf", Data("DSD ".utf8) + Data(count: 100), ["DSD", convert]),
            ("a.dff", Data("FRM8".utf8) + Data(count: 100), ["DSD", convert]),
            ("page.wav", Data("\n<!DOCTYPE html><html><body>Log in".utf8), ["web page"]),
            ("lfs.wav", Data("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n".utf8), ["Git LFS", "git lfs pull"]),
            ("text.wav", Data("Grüße".utf8), ["text file"]), ("empty.wav", Data(), ["empty (0 bytes)"]),
            ("zero.wav", Data(count: 5000), ["all 0"]), ("begin.wav", Self.wave(Self.format(8)), ["ends within its header"]),
            ("zip.wav", Data([0x50, 0x4B, 3, 4]) + Data(count: 100), ["ZIP"]),
            (
                "aac.wav",
                Self.wave(
                    Self.chunk("fmt ", Self.number(0xFF, 2) + Self.number(2, 2) + Self.number(48_000, 4) + Data(count: 20))
                        + Self.chunk("data", Data(count: 100))), ["AAC", convert]
            ),
            (
                "aac.caf",
                Data("caff".utf8) + Self.number(1, 2, big: true) + Self.number(0, 2) + Data("desc".utf8) + Self.number(32, 8, big: true)
                    + Self.number((48_000.0).bitPattern, 8, big: true) + Data("aac ".utf8) + Data(count: 100), ["AAC", convert]
            ),
        ]
        for (name, bytes, words) in files {
            let found = try refusal(name, bytes)
            #expect(found.contains("is not a readable sound file"), "\(name): \(found)")
            for word in words { #expect(found.contains(word), "\(name): \(found)") }
            #expect(!found.contains("malformed") && (name == "begin.wav" || !found.contains("opy")), "\(name): \(found)")
        }
    }
}
