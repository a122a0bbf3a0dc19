internal import CRealtime
internal import Glibc
internal import Synchronization
internal import Threads

/// Independent work items on all cores. Results do not depend on the number of cores.
enum Parallel {
    /// Returns the results of `work` for 0 to `count` - 1, in this order.
    /// - Parameter done: called after each item, on any thread but never concurrently.
    static func map<Result: Sendable>(
        _ count: Int, done: @Sendable () -> Void, work: @Sendable (Int) -> Result
    ) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: count))
        perform(count) { index in
            let result = work(index)
            results.withLock {
                $0[index] = result
                done()
            }
        }
        return results.withLock { $0.map { $0! } }
    }

    /// Carries out `work` for 0 to `count` - 1, in any order. Denormals are flushed as in the renderer, so that results do not depend on
    /// the thread.
    static func perform(_ count: Int, work: @Sendable (Int) -> Void) {
        let next = Counter()
        WorkerThreads.run(min(count, sysconf(Int32(_SC_NPROCESSORS_ONLN))), name: "evaluation") {
            realtime_flush_denormals()
            while let index = next.take(below: count) { work(index) }
        }
    }

    private final class Counter: Sendable {
        private let next = Atomic(0)

        func take(below end: Int) -> Int? {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            return index < end ? index : nil
        }
    }
}
