import CRealtime
import Foundation
import Render
import Synchronization

@testable import Device

/// Log of a ``ProbeRenderer``, to be read after the renderer has been returned.
final class ProbeLog: @unchecked Sendable {
    // SAFETY: written by the rendering thread, read by the test after that thread has been joined; the counts
    // that tests look at in between are atomic.
    var times: [BlockTime] = []
    var sizes: [Int] = []
    var xruns: [Int] = []
    var threads: Set<UInt> = []
    let blocks = Atomic(0)
    let alive = Atomic(0)
    let droppedOn = Atomic<UInt>(0)

    /// Waits, asleep, until so many blocks were rendered.
    func wait(blocks count: Int) {
        while blocks.load(ordering: .acquiring) < count { realtime_sleep_until(rt_now() + 1_000_000) }
    }
}

/// A ramp on the left ear, or what `sound` says on both; late, finished or not ready when told to be.
struct ProbeRenderer: BlockRenderer, ~Copyable {
    let log: ProbeLog
    var frame = 0
    var last = Int.max
    /// Blocks after which it sleeps, and for how many nanoseconds.
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
    var isReady: Bool { ready.load(ordering: .relaxed) || ready.exchange(true, ordering: .relaxed) }
    var isFinished: Bool { frame >= last }
}

/// The end of a run, as `onEnd` tells it.
final class EndLog: @unchecked Sendable {
    // SAFETY: `semaphore` orders the write before the read.
    private var failure: String?
    private let semaphore = DispatchSemaphore(value: 0)

    func end(_ error: String?) {
        failure = error
        semaphore.signal()
    }

    /// Returns the message given to `onEnd`, or "nothing" after ten seconds without a call.
    func wait() -> String? { semaphore.wait(timeout: .now() + 10) == .success ? failure : "nothing" }
}

/// The driver did not return.
struct Lost: Error {}

extension DeviceRun where Renderer: ~Copyable {
    /// Stops and gives the renderer back, of which a test may be sure.
    func finish() throws -> Renderer {
        guard let renderer = stop() else { throw Lost() }
        return renderer
    }
}
