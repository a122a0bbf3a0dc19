import Foundation
import Synchronization
import Testing

@testable import Media

struct WorkerThreadsTests {
    /// One thread is the calling one, which keeps its name.
    @Test(arguments: [0, 1, 2, 5])
    func threadsAreNamedAndWaitedFor(count: Int) {
        let names = Mutex<[String]>([])
        let own = Self.name()
        WorkerThreads.run(count, name: "filters") { names.withLock { $0.append(Self.name()) } }
        let expected = [own] + (1..<max(1, count)).map { "filters \($0 + 1)" }
        #expect(names.withLock { $0.sorted() } == expected.sorted() && Self.name() == own)
    }

    private static func name() -> String {
        let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return text?.trimmingCharacters(in: .newlines) ?? ""
    }
}
