internal import CRealtime
internal import Dispatch
internal import Synchronization

/// Independent work items on all cores. Results do not depend on the number of cores.
enum Parallel {
    /// Returns the results of `work` for 0 to `count` - 1, in this order.
    /// - Parameter done: called after each item, on any thread but never concurrently.
    static func map<Result: Sendable>(
        _ count: Int, done: @Sendable () -> Void, work: @Sendable (Int) -> Result
    ) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            // The renderer flushes denormals; setting it here gives equal results on every thread.
            realtime_flush_denormals()
            let result = work(index)
            results.withLock {
                $0[index] = result
                done()
            }
        }
        return results.withLock { $0.map { $0! } }
    }
}
