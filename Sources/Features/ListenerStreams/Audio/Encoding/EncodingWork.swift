internal import Dispatch
internal import Synchronization
package import Threads

/// A thread of ordinary priority for encoding: it works in turns while there is something to encode, and sleeps otherwise.
// SAFETY: `thread` is used by the owner alone, who starts and stops the thread; everything else is constant, atomic or a semaphore.
package final class EncodingWork: @unchecked Sendable {
    /// Microseconds between two turns, unless given.
    static let standardInterval = 2500

    private let name: String
    private let interval: Int
    private let turn: @Sendable () -> Bool
    private let awake = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)
    private var thread: ProgramThread?

    /// - Parameters:
    ///   - name: of the thread.
    ///   - interval: microseconds between two turns.
    ///   - turn: called on the thread; returns whether another turn follows without a call of ``wake()``.
    package init(_ name: String, interval: Int = standardInterval, turn: @escaping @Sendable () -> Bool) {
        self.name = name
        self.interval = interval
        self.turn = turn
    }

    package func start() throws(ThreadError) { thread = try ProgramThread(name) { [self] in run() } }

    /// Begins a turn.
    package func wake() { awake.signal() }

    /// Ends the thread and waits for it.
    package func stop() {
        guard let thread else { return }
        isStopped.store(true, ordering: .releasing)
        awake.signal()
        thread.join()
        self.thread = nil
    }

    private func run() {
        while !isStopped.load(ordering: .acquiring) {
            if turn() { _ = awake.wait(timeout: .now() + .microseconds(interval)) } else { awake.wait() }
        }
    }
}
