import Synchronization
import Testing
import Threads

struct WorkerThreadsTests {
    /// One thread is the calling one, which keeps its name.
    @Test(arguments: [0, 1, 2, 5])
    func threadsAreNamedAndWaitedFor(count: Int) {
        let names = Mutex<[String]>([])
        let own = ThreadName.own
        WorkerThreads.run(count, name: "filters") { names.withLock { $0.append(ThreadName.own) } }
        let expected = [own] + (1..<max(1, count)).map { "filters \($0 + 1)" }
        #expect(names.withLock { $0.sorted() } == expected.sorted() && ThreadName.own == own)
    }
}
