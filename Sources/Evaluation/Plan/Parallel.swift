internal import CRealtime
internal import Dispatch
internal import Foundation
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
            prepareThread()
            let result = work(index)
            results.withLock {
                $0[index] = result
                done()
            }
        }
        return results.withLock { $0.map { $0! } }
    }

    /// Prepares a thread of an evaluation: with denormals flushed as in the renderer, results do not depend on the thread.
    static func prepareThread() {
        realtime_flush_denormals()
        if !Thread.isMainThread { realtime_name_thread("evaluation") }
    }
}
