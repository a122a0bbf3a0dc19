/// Threads that share a piece of work: each runs the same function, which takes one part after the other.
public enum WorkerThreads {
    /// Runs the work on the calling thread and on others beside it, and returns when all have ended. Where the system does not allow as
    /// many threads, there are fewer.
    ///
    /// - Parameters:
    ///   - count: number of threads, the calling one among them.
    ///   - name: name of the other threads, followed by a number from 2; at most 12 bytes.
    public static func run(_ count: Int, name: String, work: @Sendable () -> Void) {
        // The other threads have released it when `join()` returns.
        withoutActuallyEscaping(work) { work in
            var others: [ProgramThread] = []
            for number in 1..<max(1, count) {
                guard let thread = try? ProgramThread("\(name) \(number + 1)", body: work) else { break }
                others.append(thread)
            }
            work()
            for thread in others { thread.join() }
        }
    }
}
