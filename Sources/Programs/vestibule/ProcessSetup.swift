import CRealtime
import Glibc

/// Settings of the process that every command relies on.
enum ProcessSetup {
    /// Has to be called first.
    static func run() {
        // Input, output and error stay what they are: without them, the next files would take their numbers.
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
