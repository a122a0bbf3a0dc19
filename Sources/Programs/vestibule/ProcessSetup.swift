import CRealtime
import Foundation
import Glibc
import Threads

/// Settings of the process that every command relies on.
enum ProcessSetup {
    /// Has to be called first.
    static func run() {
        // Standard input, output and error have to be open: otherwise the next files would get their numbers.
        while true {
            let descriptor = open("/dev/null", O_RDWR)
            guard (0...STDERR_FILENO).contains(descriptor) else {
                close(descriptor)
                break
            }
        }
        // A file that would become larger than `ulimit -f` allows is an error of writing, not the end of the program.
        signal(SIGXFSZ, SIG_IGN)
        realtime_limit_arenas()
    }
}

/// Limit on the descriptors of this process (`ulimit -n`): every connection takes one.
enum DescriptorLimit {
    /// Enough for thousands of clients. The web server's tables grow with the limit, 16 bytes for each descriptor.
    private static let most: rlim_t = 65_536

    /// Raises the soft limit to the hard one, up to ``most``. A higher soft limit stays.
    static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, most) else { return }
        limit.rlim_cur = min(limit.rlim_max, most)
        setrlimit(resource, &limit)
    }
}

/// Handles SIGINT, SIGTERM and SIGHUP on the thread "signals", where any call is allowed.
enum Signals {
    /// Nanoseconds after the first signal in which further ones count as the same: `timeout` and terminals send several.
    private static let grace: UInt64 = 1_000_000_000

    /// Blocks the signals. Has to be called before the first thread is started, because threads inherit the mask.
    static func block() {
        signal(SIGPIPE, SIG_IGN)
        var set = signalSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `body` at the first signal; one that comes a second later or more ends the process at once.
    static func onEnd(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
        let waited = signalSet()
        _ = try ProgramThread("signals") {
            var set = waited
            var number: Int32 = 0
            sigwait(&set, &number)
            let first = rt_now()
            body()
            repeat { sigwait(&set, &number) } while rt_now() - first < grace
            _exit(128 + number)
        }
    }

    private static func signalSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP]) { sigaddset(&set, number) }
        return set
    }

    /// Whether the program was started to survive a signal, as `nohup` does.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SAFETY: a function pointer is compared as a number; SIG_IGN is 1.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
