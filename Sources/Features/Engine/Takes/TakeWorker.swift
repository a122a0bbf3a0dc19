import CRealtime
import Foundation
import Render
import Synchronization
import Threads

/// The thread that keeps the latest seconds in memory and writes takes, and its commands.
final class TakeWorker: Sendable {
    private struct Shared {
        var commands: [TakeThread.Command] = []
        var state = TakeState()
        var isOver = false
        var hasEnded = false
    }

    /// Seconds between two turns.
    private static let interval = 0.05
    private let shared = Mutex(Shared())
    private let wake = NSCondition()

    init(_ lines: TakeConnections, folder: TakeFolder, rate: Int, hook: @escaping @Sendable () -> Void) throws(ThreadError) {
        _ = try ProgramThread("takes") { [self] in
            run(TakeThread(lines, folder: folder, rate: rate, hook: hook))
        }
    }

    private func run(_ thread: consuming TakeThread) {
        var isOver = false
        while !isOver {
            let commands = shared.withLock { shared in
                defer { shared.commands = [] }
                isOver = shared.isOver
                return shared.commands
            }
            for command in commands { thread.follow(command) }
            thread.turn(now: rt_now())
            publish(&thread)
            wait()
        }
        thread.follow(.stop(nil))
        publish(&thread)
        wake.withLock {
            shared.withLock { $0.hasEnded = true }
            wake.broadcast()
        }
    }

    private func publish(_ thread: inout TakeThread) {
        let notices = thread.takeNotices()
        let state = thread.state
        shared.withLock { shared in
            let earlier = shared.state.notices
            shared.state = state
            shared.state.notices = earlier + notices
        }
    }

    private func wait() {
        wake.withLock {
            guard shared.withLock({ $0.commands.isEmpty && !$0.isOver }) else { return }
            _ = wake.wait(until: Date(timeIntervalSinceNow: Self.interval))
        }
    }

    func add(_ command: TakeThread.Command) {
        shared.withLock { $0.commands.append(command) }
        wake.withLock { wake.broadcast() }
    }

    /// The current state; messages for the log are in it once.
    func takeState() -> TakeState {
        shared.withLock { shared in
            defer { shared.state.notices = [] }
            return shared.state
        }
    }

    /// Ends the take that is being recorded, and the thread.
    /// - Parameter seconds: longest wait for the files.
    /// - Returns: whether they are complete.
    func stop(within seconds: Double) -> Bool {
        shared.withLock { $0.isOver = true }
        let end = Date(timeIntervalSinceNow: seconds)
        wake.lock()
        defer { wake.unlock() }
        wake.broadcast()
        while !shared.withLock({ $0.hasEnded }), wake.wait(until: end) {}
        return shared.withLock { $0.hasEnded }
    }
}
