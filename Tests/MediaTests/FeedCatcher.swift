import Crossing
import Foundation
import Media
import Synchronization
import TestSupport
import Testing

/// Stand-in for the audio thread: receives feeds and reads them.
final class FeedCatcher: Sendable {
    final class Box: @unchecked Sendable {
        // SAFETY: filled before it is put in the list, emptied by the one test that takes it from there.
        private var feed: Feed?
        init(_ feed: consuming Feed) { self.feed = consume feed }
        func take() -> Feed { feed.take()! }
    }

    private let boxes = Mutex<[Box]>([])
    private let arrived = DispatchSemaphore(value: 0)
    /// Kernel id of the thread that delivered the latest feed.
    let thread = Mutex<Int>(0)
    let reports = Mutex<[String]>([])

    func deliver(_ feed: consuming Feed) {
        let box = Box(feed)
        thread.withLock { $0 = Self.ownNumber() }
        boxes.withLock { $0.append(box) }
        arrived.signal()
    }

    private static func ownNumber() -> Int {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        return Int((link as NSString?)?.lastPathComponent ?? "") ?? 0
    }

    func report(_ text: String) { reports.withLock { $0.append(text) } }

    /// Waits for the next feed.
    func next() throws -> Feed {
        guard arrived.wait(timeout: .now() + 60) == .success else { throw MediaError("No feed has come.") }
        return boxes.withLock { $0.removeFirst() }.take()
    }

    func nextFrames() throws -> FrameRing.Consumer {
        let feed = try next()
        return feed.frames
    }

    var waiting: Int { boxes.withLock { $0.count } }

    func player(
        _ path: String, rate: Double = 48000, loop: Bool = false, prefill: Int = 4096
    ) throws(MediaError) -> RecordingPlayer {
        try RecordingPlayer(
            path: path, engineRate: rate, loop: loop, prefill: prefill, report: report, deliver: deliver)
    }
}

/// Reads `frames` frames, or to the end, and waits while there are none.
func drain(_ consumer: inout FrameRing.Consumer, frames: Int = .max, nudge: () -> Void = {}) -> [Float] {
    let channels = consumer.channels
    var samples: [Float] = []
    var block = [Float](repeating: 0, count: 1024 * channels)
    while samples.count / channels < frames {
        let ended = consumer.hasEnded
        let got = consumer.read(&block, frames: min(1024, frames - samples.count / channels))
        samples += block[..<(got * channels)]
        if got == 0 {
            if ended { break }
            guard isServed(consumer, every: 1, nudge) else { break }
        }
    }
    return samples
}

/// Reads `frames` frames as soon as they are available, as rendering to a file does; returns the number read.
func use(_ consumer: inout FrameRing.Consumer, frames: Int, nudge: () -> Void) -> Int {
    var block = [Float](repeating: 0, count: 256 * consumer.channels)
    var used = 0
    while used < frames {
        let got = consumer.read(&block, frames: min(256, frames - used))
        used += got
        guard got > 0 || isServed(consumer, every: 0.2, nudge) else { break }
    }
    return used
}

/// Waits for frames, or for the end of the feed.
private func isServed(_ consumer: borrowing FrameRing.Consumer, every interval: Double, _ nudge: () -> Void) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while consumer.available == 0, !consumer.hasEnded {
        guard ContinuousClock.now < end else {
            Issue.record("no frames have come for 60 s")
            return false
        }
        nudge()
        stimulus(milliseconds: interval)
    }
    return true
}
