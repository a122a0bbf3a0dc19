import Crossing
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Media

@Suite(.serialized) struct RecordingPlayerTests {
    let fixture = SoundFixture()
    let catcher = FeedCatcher()

    /// A different number for each frame and channel, exact in 24 bits.
    static func number(_ frame: Int, _ channel: Int) -> Float { Float(frame * 4 + channel) / 8_388_608 }

    func numbered(frames: Int) -> String {
        fixture.write("numbers.wav", channels: 4, frames: frames, sample: Self.number)
    }

    func isNumbered(_ samples: [Float], from frame: Int, of length: Int = .max) -> Bool {
        samples.indices.allSatisfy { samples[$0] == Self.number((frame + $0 / 4) % length, $0 % 4) }
    }

    @Test func playsToTheEndOnce() throws {
        let player = try catcher.player(numbered(frames: 60000))
        #expect(player.duration == 1.25)
        #expect(player.channels == 4)
        #expect(player.rate == 48000)
        let feed = try catcher.next()
        #expect(feed.start == 0)
        let number = feed.number
        var frames = feed.frames
        let available = frames.available
        #expect(available >= 4096)
        let samples = drain(&frames)
        #expect(samples.count == 4 * 60000)
        #expect(isNumbered(samples, from: 0))
        let ended = frames.hasEnded
        #expect(ended)
        #expect(player.position(feed: number, framesUsed: 24000) == 0.5)
        #expect(player.position(feed: number, framesUsed: 99999) == 1.25)
        #expect(player.position(feed: number + 1, framesUsed: 0) == nil)
    }

    @Test func silenceMayPrecedeTheRecording() throws {
        let path = numbered(frames: 9000)
        let player = try RecordingPlayer(path: path, engineRate: 48_000, loop: false, lead: 1500, deliver: catcher.deliver)
        var frames = try catcher.nextFrames()
        let samples = drain(&frames)
        #expect(samples.count == 4 * 10_500)
        #expect(samples.prefix(4 * 1500).allSatisfy { $0 == 0 } && isNumbered(Array(samples.dropFirst(4 * 1500)), from: 0))
        player.stop()
    }

    @Test func seekIsExactToTheFrame() throws {
        let player = try catcher.player(numbered(frames: 100_000))
        let first = try catcher.next()
        for frame in [50000, 1, 99_000, 31_234] {
            player.seek(seconds: Double(frame) / 48000)
            let feed = try catcher.next()
            #expect(feed.start == Int64(frame))
            #expect(feed.number > first.number)
            let number = feed.number
            var frames = feed.frames
            let samples = drain(&frames, frames: 900)
            #expect(samples.count == 3600)
            #expect(isNumbered(samples, from: frame))
            let position = try #require(player.position(feed: number, framesUsed: 480))
            #expect(abs(position - Double(frame + 480) / 48000) < 1e-9)
        }
        // Outside of the recording: the nearest end.
        player.seek(seconds: -3)
        let start = try catcher.next().start
        player.seek(seconds: 1e6)
        let end = try catcher.next()
        #expect(start == 0)
        let last = end.start
        #expect(last == 100_000)
        var frames = end.frames
        let rest = drain(&frames)
        #expect(rest.isEmpty)
    }

    @Test func oldFeedStaysFullWhileANewOneComes() throws {
        let player = try catcher.player(numbered(frames: 100_000))
        var old = try catcher.nextFrames()
        waitUntil("the feed is full") { old.available >= 14000 }
        player.seek(seconds: 1)
        _ = try catcher.next()
        let samples = drain(&old, frames: 14000)
        #expect(isNumbered(samples, from: 0))
        let ended = old.hasEnded
        #expect(!ended)
    }

    @Test func loopHasNoGap() throws {
        // Silent at both ends, so that the seam is inaudible.
        let length = 30000
        let path = fixture.write("loop.wav", channels: 4, frames: length) { frame, channel in
            (100..<length - 100).contains(frame) ? Self.number(frame, channel) : 0
        }
        let player = try catcher.player(path, loop: true)
        let feed = try catcher.next()
        let number = feed.number
        var frames = feed.frames
        let samples = drain(&frames, frames: 100_000)
        let wrong = samples.indices.filter {
            let frame = $0 / 4 % length
            return samples[$0] != ((100..<length - 100).contains(frame) ? Self.number(frame, $0 % 4) : 0)
        }
        #expect(wrong.isEmpty)
        let position = try #require(player.position(feed: number, framesUsed: 100_000))
        #expect(abs(position - 10000.0 / 48000) < 1e-9)
        player.loop = false
        let rest = drain(&frames)
        #expect((samples.count + rest.count) / 4 % length == 0)
        let ended = frames.hasEnded
        #expect(ended)
    }

    @Test func loopTurnedOnAfterTheEndStartsAgain() throws {
        let player = try catcher.player(numbered(frames: 10000))
        var first = try catcher.nextFrames()
        waitUntil("the feed has ended") { first.hasEnded }
        player.loop = true
        holds("the rest of the feed is played first") { catcher.waiting == 0 }
        let samples = drain(&first)
        #expect(samples.count == 40000)
        let again = try catcher.next()
        #expect(again.start == 0)
        var frames = again.frames
        let more = drain(&frames, frames: 9000)
        #expect(isNumbered(more, from: 0))
        #expect(player.loop)
    }

    @Test func resampledPositionsAreInEngineFrames() throws {
        let path = fixture.write("sine.wav", channels: 4, rate: 44100, frames: 44100) { frame, _ in
            sine(1000, 44100, frame)
        }
        let player = try catcher.player(path)
        _ = try catcher.next()
        player.seek(seconds: 0.5)
        let feed = try catcher.next()
        #expect(feed.start == 24000)
        let number = feed.number
        var frames = feed.frames
        let samples = drain(&frames)
        #expect(samples.count == 4 * 24000)
        let left = stride(from: 0, to: 4 * 20000, by: 4).map { samples[$0] }
        let found = measure(left[0..<9600], frequency: 1000, rate: 48000)
        #expect(abs(decibels(found.level / 0.5)) < 0.1)
        #expect(abs(found.phase * 48) < 0.01, "samples")
        #expect(player.position(feed: number, framesUsed: 12000) == 0.75)
    }

    @Test func diskErrorIsReportedAndEndsTheFeed() throws {
        let path = numbered(frames: 200_000)
        let player = try catcher.player(path)
        var frames = try catcher.nextFrames()
        SoundFixture.cut(path, to: 0.3)
        let samples = drain(&frames)
        let ended = frames.hasEnded
        #expect(ended)
        #expect(isNumbered(samples, from: 0))
        #expect((16384...61000).contains(samples.count / 4))
        waitUntil("the error is reported") { catcher.reports.withLock { !$0.isEmpty } }
        #expect(catcher.reports.withLock { $0.count } == 1)
        #expect(catcher.reports.withLock { $0.first?.contains("numbers.wav ended at frame") } == true)
        // Looping does not retry continuously; a seek to an existing part plays.
        player.loop = true
        holds("nothing more is reported or read") { catcher.reports.withLock { $0.count } == 1 && catcher.waiting == 0 }
        player.seek(seconds: 0.1)
        var again = try catcher.nextFrames()
        let more = drain(&again, frames: 1000)
        #expect(isNumbered(more, from: 4800))
    }

    @Test func unusedFeedDoesNotGrow() throws {
        let player = try catcher.player(numbered(frames: 200_000), loop: true)
        _ = try catcher.next()
        player.seek(seconds: 1)
        let frames = try catcher.nextFrames()
        waitUntil("the feed is full") { frames.available > 16384 - 2048 }
        let full = frames.available
        holds("nothing is added", milliseconds: 100) { frames.available == full }
    }

    /// The thread checks an unused feed 50 times a second, and one that is read quickly up to 1000 times.
    @Test func pauseDependsOnUse() {
        #expect(MediaThread.pause(after: 10, used: 0) == 20)
        #expect(MediaThread.pause(after: 1, used: 0) == 20)
        #expect(MediaThread.pause(after: 10, used: 480) == 10)
        #expect(MediaThread.pause(after: 10, used: 4096) == 1)
    }

    @Test func stopEndsFeedAndThread() throws {
        var player: RecordingPlayer? = try catcher.player(numbered(frames: 200_000), loop: true)
        _ = try catcher.next()
        player?.seek(seconds: 1)
        var frames = try catcher.nextFrames()
        let thread = catcher.thread.withLock { $0 }
        #expect(exists(thread))
        player?.stop()
        let ended = frames.hasEnded
        #expect(ended)
        player?.stop()
        player?.seek(seconds: 2)
        player = nil
        waitUntil("the thread has ended") { !exists(thread) }
        let samples = drain(&frames)
        #expect(isNumbered(samples, from: 48000))
        #expect(catcher.waiting == 0)
    }

    @Test func refusedRecordingLeavesNothingBehind() {
        let path = fixture.write("stereo.wav", channels: 2, frames: 100) { _, _ in 0 }
        #expect(throws: MediaError.self) { try catcher.player(path) }
        #expect(catcher.waiting == 0)
    }

    @Test func largeFileIsPlayed() throws {
        let player = try catcher.player(fixture.writeLarge())
        var frames = try catcher.nextFrames()
        #expect(player.warnings == [])
        #expect(player.duration > 227)
        #expect(use(&frames, frames: 48000 * 20, nudge: player.nudge) == 48000 * 20)
    }

    @Test(arguments: [44100, 96000]) func resampledFileIsPlayed(rate: Int) throws {
        let player = try catcher.player(fixture.writeTones(rate: rate), loop: true)
        var frames = try catcher.nextFrames()
        #expect(use(&frames, frames: 48000 * 10, nudge: player.nudge) == 48000 * 10)
    }

    private func exists(_ thread: Int) -> Bool { access("/proc/self/task/\(thread)", F_OK) == 0 }
}
