internal import CRealtime
internal import Dispatch
internal import Synchronization

/// Independent pieces of work on all cores. What comes out does not depend on how many there are.
enum Parallel {
    /// The results of `work` for 0 to `count` - 1, in this order.
    /// - Parameter done: called after each, on any thread, never twice at once.
    static func map<Result: Sendable>(
        _ count: Int, done: @Sendable () -> Void, work: @Sendable (Int) -> Result
    ) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            // The renderer has it so; with it from the start, every piece is computed alike on every thread.
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
