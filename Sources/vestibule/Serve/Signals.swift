import Foundation

/// Handles SIGINT and SIGTERM on the thread "signals", where any call is allowed.
enum Signals {
    /// Blocks the signals. Has to be called before the first thread is started, because threads inherit the mask.
    static func block() {
        signal(SIGPIPE, SIG_IGN)
        var set = signalSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `body` at the first signal; the second ends the process at once.
    static func onEnd(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            Thread.current.name = "signals"
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
