import Foundation
import TestSupport
import Testing

@testable import Media

extension SoundFixture {
    /// Writes 700 MB of 16 silent channels that take no room on the disk; returns the path.
    func writeLarge() -> String { writeSparse("large.wav", channels: 16, bytes: 700_000_000 / 64 * 64) }

    /// Writes a second of 16 channels with different tones; returns the path.
    func writeTones(rate: Int) -> String {
        write("tones.wav", channels: 16, rate: rate, frames: rate) { frame, channel in
            sine(Double(100 * channel + 100), 48000, frame)
        }
    }
}

/// How fast recordings are read, and how much memory that takes.
@Suite(.serialized, .measured) struct RecordingPlayerFigures {
    let fixture = SoundFixture()
    let catcher = FeedCatcher()

    @Test func largeFileOpensAtOnceAndStaysOnTheDisk() throws {
        let path = fixture.writeLarge()
        let before = residentBytes()
        let began = ContinuousClock.now
        let player = try catcher.player(path)
        var frames = try catcher.nextFrames()
        let opened = ContinuousClock.now
        figure("first feed of a recording of 700 MB", (opened - began) / .milliseconds(1), limit: 1000, unit: "ms")
        #expect(use(&frames, frames: 48000 * 20, nudge: player.nudge) == 48000 * 20)
        figure("reading 20 s of 16 channels", (ContinuousClock.now - opened) / .seconds(1), limit: 20, unit: "s")
        figure("memory for a recording of 700 MB", Double(residentBytes() - before) / 1e6, limit: 200, unit: "MB")
        let stopped = ContinuousClock.now
        player.stop()
        figure("stopping the reader of a recording", (ContinuousClock.now - stopped) / .milliseconds(1), limit: 1000, unit: "ms")
    }

    @Test(arguments: [44100, 96000]) func resampledFileIsFastEnough(rate: Int) throws {
        let player = try catcher.player(fixture.writeTones(rate: rate), loop: true)
        var frames = try catcher.nextFrames()
        let opened = ContinuousClock.now
        #expect(use(&frames, frames: 48000 * 10, nudge: player.nudge) == 48000 * 10)
        let seconds = (ContinuousClock.now - opened) / .seconds(1)
        figure("reading 10 s of 16 channels from \(rate) Hz", seconds, limit: 10, unit: "s")
    }

    private func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
}
