import Foundation

/// SIGINT and SIGTERM as a call on a thread of their own, where anything may be done.
enum Signals {
    /// Before the first thread is started: threads inherit that the signals are not theirs.
    static func block() {
        signal(SIGPIPE, SIG_IGN)
        var set = signalSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `body` at the first signal; the second ends the process at once.
    static func onEnd(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            var set = signalSet()
            var number: Int32 = 0
            sigwait(&set, &number)
            body()
            sigwait(&set, &number)
            _exit(128 + number)
        }
    }

    private static func signalSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        return set
    }
}
