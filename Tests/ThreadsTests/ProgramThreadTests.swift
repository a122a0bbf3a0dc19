import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Threads

struct ProgramThreadTests {
    @Test func aThreadHasItsName() throws {
        let found = Found()
        let thread = try ProgramThread("test name") { found.value.withLock { $0 = ThreadName.own } }
        thread.join()
        // A further call has no effect.
        thread.join()
        #expect(found.value.withLock { $0 } == "test name")
        #expect(!thread.isCurrent)
    }

    /// The work, and with it what it holds, is gone when the wait for the thread is over.
    @Test func workIsReleasedBeforeTheEnd() throws {
        for _ in 0..<100 {
            var held: Found? = Found()
            weak let seen = held
            let thread = try ProgramThread("test") { [held] in held?.value.withLock { $0 = "done" } }
            held = nil
            thread.join()
            #expect(seen == nil)
        }
    }

    @Test func aThreadThatNobodyKeepsGoesOn() throws {
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        _ = try ProgramThread("test") {
            gate.wait()
            done.signal()
        }
        gate.signal()
        #expect(done.wait(timeout: .now() + 60) == .success)
    }

    /// No address space holds such a stack.
    @Test func aRefusalIsAnErrorInWords() throws {
        let held = Found()
        let error = try #require(throws: ThreadError.self) {
            try ProgramThread("too large", stack: 1 << 50) { held.value.withLock { $0 = "done" } }
        }
        #expect(error.name == "too large")
        #expect(error.description.hasPrefix("the thread \"too large\" cannot be started: the system allows this program no more threads"))
        #expect(error.sentence.hasPrefix("The thread ") && error.sentence.hasSuffix("."))
        #expect(held.value.withLock { $0 }.isEmpty)
    }

    @Test func tooManyOpenFilesHaveTheirOwnRemedy() {
        #expect(ThreadError(name: "MIDI", code: EMFILE).description.contains("ulimit -n"))
    }

    private final class Found: Sendable {
        let value = Mutex("")
    }
}
