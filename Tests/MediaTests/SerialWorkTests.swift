import Foundation
import Media
import Synchronization
import Testing
import Threads

@Suite struct SerialWorkTests {
    @Test func piecesAreDoneInTheirOrder() {
        let (work, done) = (SerialWork(name: "test"), Collected())
        for number in 0..<1000 { work.add { done.numbers.withLock { $0.append(number) } } }
        #expect(work.finish(within: 60))
        #expect(!work.isBusy)
        #expect(done.numbers.withLock { $0 } == Array(0..<1000))
        // Work that comes later restarts.
        work.add { done.numbers.withLock { $0 = [-1] } }
        #expect(work.finish(within: 60))
        #expect(done.numbers.withLock { $0 } == [-1])
    }

    @Test func workThatDoesNotEndIsLeftToItself() {
        let (work, gate) = (SerialWork(name: "test"), DispatchSemaphore(value: 0))
        work.add { gate.wait() }
        #expect(work.isBusy)
        #expect(!work.finish(within: 0.05))
        gate.signal()
        #expect(work.finish(within: 60))
    }

    /// Work that rests keeps its thread for a few seconds, and does not keep jobs from starting.
    @Test func workThatRestsLeavesRoomForJobs() throws {
        let works = (0..<BackgroundJob<Int>.most + 1).map { _ in SerialWork(name: "test") }
        for work in works {
            work.add {}
            #expect(work.finish(within: 60))
        }
        let done = DispatchSemaphore(value: 0)
        let job = try BackgroundJob(name: "test", onEnd: { done.signal() }) { _ in 7 }
        #expect(done.wait(timeout: .now() + 60) == .success)
        #expect(job.product == 7)
    }

    @Test func theNewestValueIsTakenOnce() {
        let latest = Mailbox<Int>()
        #expect(latest.take() == nil)
        latest.put(1)
        latest.put(2)
        #expect(latest.take() == 2)
        #expect(latest.take() == nil)
    }

    private final class Collected: Sendable {
        let numbers = Mutex<[Int]>([])
    }
}
