import CRealtime
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Web

/// A turn of a thread beside more threads that compute than there are processors.
enum Crowd {
    /// Nanoseconds that the thread computes in its turn.
    static let computed: UInt64 = 50_000_000

    /// Nanoseconds.
    struct Measured: Sendable {
        /// The turn, by the watch.
        var turn: UInt64 = 0
        /// From before the turn to its end.
        var wall: UInt64 = 0
        /// Computed during the turn, by the kernel's account.
        var own: UInt64 = 0
        /// Waited for a processor during the turn, by the same account.
        var delayed: UInt64 = 0
    }

    private final class Shared: Sendable {
        let isOver = Atomic(false)
        let measured = Mutex(Measured())
    }

    static func turn() -> Measured {
        let (shared, done) = (Shared(), DispatchSemaphore(value: 0))
        let others = 2 * ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<others {
            Thread.detachNewThread {
                while !shared.isOver.load(ordering: .relaxed) {}
                done.signal()
            }
        }
        Thread.detachNewThread {
            let measured = measure()
            shared.measured.withLock { $0 = measured }
            shared.isOver.store(true, ordering: .relaxed)
            done.signal()
        }
        for _ in 0...others { done.wait() }
        return shared.measured.withLock { $0 }
    }

    private static func measure() -> Measured {
        let (watch, account) = (TurnWatch(), ThreadAccount())
        let start = rt_now()
        watch.beginTurn()
        let before = account.latest()
        let begin = TurnWatchTests.time(CLOCK_THREAD_CPUTIME_ID)
        while TurnWatchTests.time(CLOCK_THREAD_CPUTIME_ID) - begin < computed {}
        let own = TurnWatchTests.time(CLOCK_THREAD_CPUTIME_ID) - begin
        let after = account.latest()
        watch.endTurn()
        return Measured(turn: watch.longest, wall: rt_now() - start, own: own, delayed: after.delayed - before.delayed)
    }
}

/// How exactly turns are measured.
@Suite(.measured) struct TurnWatchFigures {
    @Test func aTurnIsHardlyLongerThanWhatTheThreadComputes() {
        let measured = Crowd.turn()
        let more = (Double(measured.turn) - Double(measured.own)) / 1e6
        figure("turn beyond its own time beside a crowd of threads", more, limit: 5, unit: "ms")
    }
}
