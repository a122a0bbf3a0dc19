internal import CRealtime
internal import Dispatch
internal import Foundation

/// Threads that share a piece of work, which takes its parts in turn.
enum WorkerThreads {
    /// Runs the work on the calling thread and on others beside it, and returns when all have ended.
    ///
    /// - Parameters:
    ///   - count: number of threads, the calling one among them.
    ///   - name: of the other threads, which a number from 2 follows; at most 12 bytes.
    static func run(_ count: Int, name: String, work: @escaping @Sendable () -> Void) {
        let others = DispatchGroup()
        for number in 1..<max(1, count) {
            others.enter()
            Thread.detachNewThread {
                realtime_name_thread("\(name) \(number + 1)")
                work()
                others.leave()
            }
        }
        work()
        others.wait()
    }
}
