import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Threads

/// Work whose own thread was refused.
struct SpareThreadTests {
    private static let refusal = ThreadError(name: "refused", code: EAGAIN)

    @Test func workIsDoneInItsOrderAndReportedOnce() throws {
        let (numbers, reports, done) = (Collected<Int>(), Collected<String>(), DispatchSemaphore(value: 0))
        for _ in 0..<2 { try SpareThread.start { text in reports.all.withLock { $0.append(text) } } }
        for number in 0..<100 {
            SpareThread.run(instead: Self.refusal) {
                #expect(ThreadName.own == "spare")
                numbers.all.withLock { $0.append(number) }
                if number == 99 { done.signal() }
            }
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
        #expect(numbers.all.withLock { $0 } == Array(0..<100))
        #expect(reports.all.withLock { $0 } == ["\(Self.refusal); its work waits for another thread"])
    }

    private final class Collected<Element: Sendable>: Sendable {
        let all = Mutex<[Element]>([])
    }
}
