internal import Foundation
internal import Synchronization

/// Work that another thread does, one piece after the other in the order given.
///
/// The thread exists while there is work and for a few seconds afterwards: recurring work uses one thread instead of the memory of many,
/// each of which may get an arena of its own from malloc. Such threads do not count towards the limit of background jobs: there is at most
/// one for each kind of work, and an idle one must not keep a file from being read. Where the system does not allow the thread, the
/// ``SpareThread`` does the work.
public final class SerialWork: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isWorking = false
        var hasThread = false
    }

    /// Seconds without work after which the thread ends.
    private static let rest = 5.0

    private let name: String
    private let state = Mutex(State())
    private let change = NSCondition()

    /// - Parameter name: name of the thread, at most 15 bytes.
    public init(name: String) { self.name = name }

    /// Whether any work is waiting or being done.
    public var isBusy: Bool { state.withLock { $0.isWorking || !$0.waiting.isEmpty } }

    /// Adds a piece of work.
    public func add(_ piece: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state in
            state.waiting.append(piece)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard starts else { return tellChange() }
        do throws(ThreadError) {
            _ = try ProgramThread(name) { [self] in drain(rest: Self.rest) }
        } catch {
            SpareThread.run(instead: error) { [self] in drain(rest: 0) }
        }
    }

    private func tellChange() {
        change.lock()
        change.broadcast()
        change.unlock()
    }

    /// - Parameter rest: seconds without work after which it ends.
    private func drain(rest: Double) {
        repeat {
            while let piece = next() { piece() }
            tellChange()
        } while !ends(after: rest)
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            state.isWorking = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
    }

    /// Waits for more work.
    /// - Returns: whether none has come, so that the thread ends.
    private func ends(after rest: Double) -> Bool {
        let end = Date(timeIntervalSinceNow: rest)
        change.lock()
        while !isBusy, change.wait(until: end) {}
        change.unlock()
        return state.withLock { state in
            state.hasThread = !state.waiting.isEmpty
            return state.waiting.isEmpty
        }
    }

    /// Waits until all work is done.
    /// - Parameter seconds: after which the wait ends.
    /// - Returns: whether it is done.
    @discardableResult
    public func finish(within seconds: Double) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        change.lock()
        defer { change.unlock() }
        while isBusy, change.wait(until: end) {}
        return !isBusy
    }
}
