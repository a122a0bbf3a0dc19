import Hub
import Synchronization
import Testing

/// Texts of other threads on their way to the control thread.
@Suite struct ReportQueueTests {
    @Test func keepsTheOrderAndWakesTheReader() {
        let queue = ReportQueue()
        let wakes = Mutex(0)
        queue.add("first")
        queue.onReport { wakes.withLock { $0 += 1 } }
        #expect(wakes.withLock { $0 } == 1)
        queue.add("second")
        #expect(wakes.withLock { $0 } == 2)
        #expect(queue.take() == ["first", "second"])
        #expect(queue.take().isEmpty)
    }
}
