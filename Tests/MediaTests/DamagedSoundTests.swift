import CSndFile
import Foundation
import Synchronization
import Testing

@testable import Media

/// Sound files with headers and samples that cannot be believed.
@Suite struct DamagedSoundTests {
    let fixture = SoundFixture()

    func refusal(_ path: String) -> String {
        do {
            _ = try SoundFile(path: path)
            return ""
        } catch { return error.description }
    }

    /// A WAV file whose header was changed: bytes 24...27 are the rate, 40...43 the length.
    func wave(rate: UInt32 = 48_000, channels: Int = 2, frames: Int = 100) throws -> String {
        let path = fixture.write("a.wav", channels: channels, frames: frames) { frame, _ in Float(frame) / 100 }
        var bytes = try Data(contentsOf: URL(filePath: path))
        withUnsafeBytes(of: rate.littleEndian) { bytes.replaceSubrange(24..<28, with: $0) }
        try bytes.write(to: URL(filePath: path))
        return path
    }

    @Test(arguments: [(0 as UInt32, true), (7999, true), (8000, false), (768_000, false), (768_001, true), (1_000_000_000, true)])
    func ratesAreChecked(rate: UInt32, isRefused: Bool) throws {
        let refusal = refusal(try wave(rate: rate))
        #expect(refusal.isEmpty != isRefused, "\(refusal)")
        if rate > 768_000 { #expect(refusal.contains("sample rate of \(rate) Hz") && refusal.contains("8000 to 768000")) }
    }

    /// A descriptor that was closed twice may be another thread's by then.
    @Test(arguments: [SFM_READ, SFM_WRITE])
    func aRefusedFileKeepsItsDescriptor(mode: Int) throws {
        let path = fixture.path("text.wav")
        try Data("no sound".utf8).write(to: URL(filePath: path))
        let file = open(path, O_RDWR)
        defer { close(file) }
        var info = SF_INFO()
        #expect(SoundHandle.open(file, mode: mode, &info) == nil)
        #expect(fcntl(file, F_GETFD) >= 0)
    }

    /// The length that libsndfile reports is checked against the size of the file.
    @Test func framesAreCheckedAgainstTheSize() {
        var info = SF_INFO()
        (info.samplerate, info.channels, info.format, info.frames) = (48_000, 2, Int32(SoundFixture.wav), 2_000_000_000)
        #expect(throws: MediaError.self) { try SoundHeader(info, size: 4096).check("a.wav") }
        #expect(throws: Never.self) { try SoundHeader(info, size: 16_000_000_044).check("a.wav") }
        info.format = Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_24)
        #expect(throws: MediaError.self) { try SoundHeader(info, size: 4096).check("a.flac") }
        info.channels = 2000
        #expect(throws: MediaError.self) { try SoundHeader(info, size: 1 << 30).check("a.flac") }
    }

    /// The memory for a sound follows from its length at the engine's rate, not from the header's rate.
    @Test func aSparseFileOfMostlyHolesIsRefusedOrRead() throws {
        let path = fixture.writeSparse("sparse.wav", channels: 1, bytes: 4_000_000_000)
        #expect(throws: MediaError.self) { try WholeSound(path: path, rate: 48_000, longest: 600, purpose: "a test") }
        let reader = try RecordingReader(path: fixture.writeSparse("long.wav", channels: 4, bytes: 4_000_000_000))
        #expect(reader.frames == 250_000_000)
    }

    static let poison: [Float] = [3e38, -3e38, .infinity, -.infinity, .nan, 64, -64, 64.00001, 0.25, -0.0]

    /// Samples that no recording has are limited and counted; all others stay the same to the bit.
    @Test func poisonedSamplesAreLimited() throws {
        let path = fixture.write("poison.wav", channels: 1, frames: Self.poison.count) { frame, _ in Self.poison[frame] }
        let file = try SoundFile(path: path)
        var samples = [Float](repeating: 9, count: Self.poison.count)
        #expect(try file.read(into: &samples, frames: samples.count) == samples.count)
        #expect(samples.map(\.bitPattern) == [64, -64, 0, 0, 0, 64, -64, 64, 0.25, -0.0].map { (x: Float) in x.bitPattern })
        #expect(file.limited == 6)
        let warnings = file.limitedSamples.warnings
        #expect(file.warnings.isEmpty && warnings.count == 1 && warnings[0].contains("6 samples"))
        let whole = try WholeSound(path: path, rate: 48_000, longest: 1, purpose: "a test")
        #expect(whole.warnings == warnings)
        let response = try ImpulseResponse(path: path, rate: 48_000)
        #expect(response.warnings == warnings && response.left.allSatisfy(\.isFinite))
        #expect(try ObjectSoundFile.read(path: path, rate: 44_100)?.mono.allSatisfy(\.isFinite) == true)
    }

    /// Samples that are read again, in pieces of other lengths, are limited again and counted once.
    @Test func limitedSamplesAreCountedOnce() throws {
        let bad: Set = [3, 700, 701, 4000, 9999]
        let path = fixture.write("again.wav", channels: 2, frames: 10_000) { frame, channel in
            bad.contains(frame) && channel == 1 ? .infinity : 0.25
        }
        let file = try SoundFile(path: path)
        var samples = [Float](repeating: 0, count: 20_000)
        for (start, length, count) in [
            (650, 100, 2), (0, 701, 3), (690, 20, 3), (3900, 6099, 4), (0, 10_000, 5), (0, 10_000, 5),
        ] {
            try file.seek(frame: start)
            #expect(try file.read(into: &samples, frames: length) == length)
            #expect(samples.prefix(2 * length).allSatisfy { $0 == 0.25 || $0 == 0 }, "\(start)")
            #expect(file.limited == count, "\(start)")
        }
        #expect(file.limitedSamples.warnings.count == 1 && file.limitedSamples.warnings[0].contains("5 samples"))
    }

    /// The report of a recording has the count of the whole recording, not of the pieces read so far.
    @Test(arguments: [false, true]) func theWholeRecordingIsCounted(loop: Bool) throws {
        let bad: Set = [1000, 50_000, 150_000]
        let path = fixture.write("long.wav", channels: 4, frames: 160_000) { bad.contains($0) && $1 == 2 ? .nan : 0.1 }
        let catcher = FeedCatcher()
        let player = try RecordingPlayer(
            path: path, engineRate: 48_000, loop: loop, report: catcher.report, deliver: catcher.deliver)
        var frames = try catcher.nextFrames()
        let used = use(&frames, frames: loop ? 200_000 : 160_000) { player.nudge() }
        #expect(used >= 160_000)
        player.stop()
        let all = catcher.reports.withLock { $0 }
        #expect(all.count == 1 && all[0].contains("long.wav: 3 samples"), "\(all)")
        // The count of an overview that is ready later adds nothing.
        let overview = try #require(try RecordingOverview.read(path: path) { _ in true })
        #expect(overview.limited.count == 3 && overview.limited.warnings == all)
        player.report(overview.limited)
        #expect(catcher.reports.withLock { $0.count } == 1)
    }

    /// Every file of a folder is reported.
    @Test func everyFileOfAFolderIsCounted() throws {
        for name in 1...4 {
            _ = fixture.write("mic\(name).wav", channels: 1, frames: 3000) { frame, _ in frame < 3 - name ? .infinity : 0 }
        }
        var reader = try RecordingReader(path: fixture.folder)
        var samples = [Float](repeating: 0, count: 4 * 3000)
        _ = try reader.read(into: &samples, frames: 3000)
        #expect(reader.limited.count == 3 && reader.limited.warnings.count == 2, "\(reader.limited)")
    }

    /// A recording with poisoned samples is reported once, however often they are read.
    @Test func aPoisonedRecordingIsReportedOnce() throws {
        let path = fixture.write("r.wav", channels: 4, frames: 40_000) { $1 == 0 ? 3e38 : Float($0 % 7) }
        let catcher = FeedCatcher()
        let player = try RecordingPlayer(
            path: path, engineRate: 48_000, loop: true, report: catcher.report, deliver: catcher.deliver)
        player.seek(seconds: 0.1)
        _ = try catcher.next()
        _ = try catcher.next()
        player.stop()
        let all = catcher.reports.withLock { $0 }
        #expect(all.count == 1 && all[0].contains(path), "\(all)")
    }

    /// Whole sounds are resampled while they are read, to the same samples as by one call.
    @Test func resamplingInChunksIsExact() throws {
        let frames = 200_000
        let path = fixture.write("long.wav", channels: 2, rate: 44_100, frames: frames) { sine(440 + 10 * Double($1), 44_100, $0) }
        let sound = try WholeSound(path: path, rate: 48_000, longest: 10, purpose: "a test")
        let input = (0..<frames).flatMap { [sine(440, 44_100, $0), sine(450, 44_100, $0)] }
        var resampler = try Resampler(from: 44_100, to: 48_000, channels: 2, quality: .veryHigh)
        let room = frames * 480 / 441 + 4096
        var expected = [Float](repeating: 0, count: 2 * room)
        let made = expected.withUnsafeMutableBufferPointer { output in
            let first = resampler.process(input, frames: frames, output: output.baseAddress!, capacity: room)
            var made = first.produced
            while true {
                let more = resampler.flush(output: output.baseAddress! + 2 * made, capacity: room - made)
                if more == 0 { return made }
                made += more
            }
        }
        #expect(sound.interleaved == Array(expected.prefix(2 * made)))
    }
}
