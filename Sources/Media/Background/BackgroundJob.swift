internal import CRealtime
internal import Foundation
internal import Synchronization

/// Jobs whose threads run, including abandoned ones.
private let running = Atomic<Int>(0)

/// One piece of work on its own thread, which may be given up at any time without waiting for it.
public final class BackgroundJob<Product: Sendable>: Sendable {
    private struct State {
        var product: Product?
        var isGivenUp = false
    }

    private let state = Mutex(State())

    /// Threads at a time: a file on a disk that does not respond occupies one forever.
    public static var most: Int { 16 }

    /// - Parameters:
    ///   - name: name of the thread, at most 15 bytes.
    ///   - onEnd: called on the thread when the product is there.
    ///   - work: makes the product; `isWanted` returns whether to continue.
    /// - Returns: nil when there are too many threads already.
    public init?(
        name: String, onEnd: @escaping @Sendable () -> Void, work: @escaping @Sendable (_ isWanted: () -> Bool) -> Product
    ) {
        guard running.wrappingAdd(1, ordering: .relaxed).newValue <= Self.most else {
            running.wrappingSubtract(1, ordering: .relaxed)
            return nil
        }
        let thread = Thread { [self] in
            realtime_name_thread(name)
            let product = work { [self] in state.withLock { !$0.isGivenUp } }
            let isWanted = state.withLock { state in
                if !state.isGivenUp { state.product = product }
                return !state.isGivenUp
            }
            running.wrappingSubtract(1, ordering: .relaxed)
            if isWanted { onEnd() }
        }
        thread.start()
    }

    /// The product; nil until the work is complete.
    public var product: Product? { state.withLock { $0.product } }

    /// Abandons the work. It ends when it next checks whether to continue.
    public func giveUp() {
        state.withLock {
            $0.isGivenUp = true
            $0.product = nil
        }
    }
}
