import CRealtime
import Foundation
import Render
import Synchronization
import TestSupport
import Testing

@testable import Device

/// Log of a ``ProbeRenderer``, to be read after the renderer has been returned.
final class ProbeLog: @unchecked Sendable {
    // SAFETY: written by the rendering thread, read by the test after that thread has been joined; the counts
    // that tests look at in between are atomic.
    var times: [BlockTime] = []
    var sizes: [Int] = []
    var xruns: [Int] = []
    var limited = 0
    var threads: Set<UInt> = []
    let blocks = Atomic(0)
    let alive = Atomic(0)
    let droppedOn = Atomic<UInt>(0)

    /// Sleeps until the given number of blocks has been rendered.
    func wait(blocks count: Int) { waitUntil("\(count) blocks are rendered") { blocks.load(ordering: .acquiring) >= count } }
}

/// Renders a ramp on the left ear, or `sound` on both. It can be late, finished or not ready.
struct ProbeRenderer: BlockRenderer, ~Copyable {
    let log: ProbeLog
    var frame = 0
    var last = Int.max
    /// Number of blocks after which the renderer sleeps, and nanoseconds of sleep.
    var slow: (block: Int, nanoseconds: UInt64)?
    var sound: (@Sendable (Int) -> Float)?
    let ready: Atomic<Bool>

    init(_ log: ProbeLog, ready: Bool = true) {
        self.log = log
        self.ready = Atomic(ready)
        log.alive.add(1, ordering: .relaxed)
        log.times.reserveCapacity(1 << 16)
        log.sizes.reserveCapacity(1 << 16)
    }

    deinit {
        log.alive.subtract(1, ordering: .relaxed)
        log.droppedOn.store(UInt(pthread_self()), ordering: .relaxed)
    }

    mutating func render(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, at time: BlockTime
    ) {
        log.times.append(time)
        log.sizes.append(frames)
        log.threads.insert(UInt(pthread_self()))
        for i in 0..<frames {
            left[i] = sound?(frame + i) ?? Float(frame + i)
            right[i] = sound?(frame + i) ?? -Float(frame + i)
        }
        frame += frames
        if let slow, slow.block == log.sizes.count - 1 { realtime_sleep_until(rt_now() + slow.nanoseconds) }
        log.blocks.add(1, ordering: .releasing)
    }

    mutating func count(xruns: Int) { log.xruns.append(xruns) }
    mutating func count(limited: Int) { log.limited += limited }
    var isReady: Bool { ready.load(ordering: .relaxed) || ready.exchange(true, ordering: .relaxed) }
    var isFinished: Bool { frame >= last }
}

/// Result of a run, as reported by `onEnd`.
final class EndLog: @unchecked Sendable {
    // SAFETY: `semaphore` orders the write before the read.
    private var failure: String?
    private let semaphore = DispatchSemaphore(value: 0)

    func end(_ error: String?) {
        failure = error
        semaphore.signal()
    }

    /// Returns the message given to `onEnd`, or "nothing" after a minute without a call.
    func wait() -> String? { semaphore.wait(timeout: .now() + 60) == .success ? failure : "nothing" }
}

/// Error for a driver that did not return.
struct Lost: Error {}

extension DeviceRun where Renderer: ~Copyable {
    /// Stops the driver and returns the renderer; throws when it is not returned.
    func finish() throws -> Renderer {
        guard let renderer = stop() else { throw Lost() }
        return renderer
    }
}
