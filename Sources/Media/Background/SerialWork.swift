internal import Foundation
internal import Synchronization

/// Work that another thread does, one piece after the other in the order given; the thread exists while there is work.
public final class SerialWork: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let name: String
    private let state = Mutex(State())
    private let idle = NSCondition()

    /// - Parameter name: name of the thread, at most 15 bytes.
    public init(name: String) { self.name = name }

    /// Whether any work is waiting or being done.
    public var isBusy: Bool { state.withLock { $0.isRunning || !$0.waiting.isEmpty } }

    /// Adds a piece of work. It waits for the next one where no thread can be started.
    public func add(_ piece: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state in
            state.waiting.append(piece)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        let job = BackgroundJob(name: name, onEnd: {}) { [self] _ in drain() }
        if job == nil { state.withLock { $0.isRunning = false } }
    }

    private func drain() {
        while let piece = next() { piece() }
        idle.lock()
        idle.broadcast()
        idle.unlock()
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            state.isRunning = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
    }

    /// Waits until all work is done.
    /// - Parameter seconds: after which it is left to itself.
    /// - Returns: whether it is done.
    @discardableResult
    public func finish(within seconds: Double) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        idle.lock()
        defer { idle.unlock() }
        while isBusy, idle.wait(until: end) {}
        return !isBusy
    }
}
