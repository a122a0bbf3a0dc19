internal import CRealtime
internal import Glibc
internal import Threads

/// A thread with realtime priority when the system allows it. It blocks signals and flushes denormals.
final class RealtimeThread: Sendable {
    /// SCHED_FIFO priority: above the interrupt threads of a preemptible kernel (50), below the sound card's on tuned
    /// systems (80 and more).
    static let priority = 70

    /// Locked once, for the whole process and for memory that it allocates later, because the call delays threads that are rendering.
    private static let isMemoryLocked = realtime_lock_memory() == 0

    /// Requests refused by the system, one per line.
    let hints: [String]
    private let work: Work
    private let thread: ProgramThread

    /// Starts a thread.
    /// - Throws: ``DeviceError`` when the system cannot create it.
    ///
    /// - Parameters:
    ///   - name: name of up to 15 bytes, as shown by `top -H`.
    ///   - raised: false for a thread without deadlines, which runs at normal priority.
    ///   - priority: with `raised`, SCHED_FIFO priority.
    init(name: String, raised: Bool, priority: Int = RealtimeThread.priority, body: @escaping @Sendable () -> Void) throws(DeviceError) {
        let work = Work(raised: raised, priority: priority, body: body)
        do throws(ThreadError) { thread = try ProgramThread(name) { work.run() } } catch { throw DeviceError(error.sentence) }
        _ = work.ready.wait()
        self.work = work
        hints = work.hints
    }

    /// Waits for the thread to end and frees it.
    ///
    /// - Parameter nanoseconds: longest wait; nil for no limit.
    /// - Returns: false when the thread has not ended in that time and is abandoned.
    func join(within nanoseconds: UInt64?) -> Bool {
        let ended = !thread.isCurrent && work.ended.wait(within: nanoseconds)
        if ended { thread.join() }
        return ended
    }

    /// The work of the thread and its state.
    // SAFETY: `hints` is written before `ready` is raised and read after; only the thread uses `body`.
    private final class Work: @unchecked Sendable {
        let ready = Flag()
        let ended = Flag()
        private(set) var hints: [String] = []
        private let raised: Bool
        private let priority: Int
        private var body: (@Sendable () -> Void)?

        init(raised: Bool, priority: Int, body: @escaping @Sendable () -> Void) {
            self.priority = priority
            self.raised = raised
            self.body = body
        }

        func run() {
            prepare()
            ready.raise()
            body?()
            body = nil  // References of the body are released before the end of the thread is announced.
            ended.raise()
        }

        private func prepare() {
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            realtime_flush_denormals()
            guard raised else { return }
            if realtime_raise_priority(Int32(priority)) != 0 {
                hints.append(
                    "The audio thread runs without realtime priority: allow rtprio \(priority) in "
                        + "/etc/security/limits.d for this user, or LimitRTPRIO=\(priority) in its "
                        + "service.")
            }
            if !RealtimeThread.isMemoryLocked {
                hints.append(
                    "Memory is not locked: allow memlock unlimited in /etc/security/limits.d for this user, or "
                        + "LimitMEMLOCK=infinity in its service.")
            }
        }
    }
}
