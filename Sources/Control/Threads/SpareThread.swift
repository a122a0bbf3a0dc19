internal import Dispatch
internal import Synchronization

/// A thread that is started with the program, and does the work of threads that the system does not allow later on: such work may be
/// delayed, but is not lost.
public enum SpareThread {
    private struct State {
        var isRunning = false
        var waiting: [@Sendable () -> Void] = []
        var report: @Sendable (String) -> Void = { _ in }
        /// Names of threads that were reported.
        var told: Set<String> = []
    }

    private static let state = Mutex(State())
    private static let wake = DispatchSemaphore(value: 0)

    /// Starts the thread.
    /// - Parameter report: called on any thread, once for each name of a thread that was not allowed.
    public static func start(report: @escaping @Sendable (String) -> Void) throws(ThreadError) {
        let isNew = state.withLock { state in
            state.report = report
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isNew else { return }
        do throws(ThreadError) {
            _ = try ProgramThread("spare") {
                while true {
                    wake.wait()
                    state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }?()
                }
            }
        } catch {
            state.withLock { $0.isRunning = false }
            throw error
        }
    }

    /// Does work whose own thread was refused, after the work that waits already. Where the spare thread was not started, the calling
    /// thread does it at once.
    public static func run(instead refusal: ThreadError, _ work: @escaping @Sendable () -> Void) {
        let (isRunning, report) = state.withLock { state in
            if state.isRunning { state.waiting.append(work) }
            return (state.isRunning, state.told.insert(refusal.name).inserted ? state.report : nil)
        }
        report?("\(refusal); its work waits for another thread")
        if isRunning { wake.signal() } else { work() }
    }
}
