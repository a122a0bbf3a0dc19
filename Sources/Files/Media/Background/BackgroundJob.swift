internal import Synchronization
internal import Threads

/// Number of jobs whose threads run, including abandoned ones.
private let running = Atomic<Int>(0)

/// The reason why no job was begun, and the remedy.
public struct JobRefusal: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

/// One piece of work on its own thread, which may be given up at any time without waiting for it.
public final class BackgroundJob<Product: Sendable>: Sendable {
    private struct State {
        var product: Product?
        var isGivenUp = false
    }

    private let state = Mutex(State())

    /// Maximum number of threads at a time: a file on a disk that does not respond occupies one forever.
    public static var most: Int { 16 }

    /// - Parameters:
    ///   - name: name of the thread, at most 15 bytes.
    ///   - onEnd: called on the thread when the product is there.
    ///   - work: makes the product; `isWanted` returns whether to continue.
    /// - Throws: ``JobRefusal`` when there are too many threads already, or the system does not allow another one.
    public init(
        name: String, onEnd: @escaping @Sendable () -> Void, work: @escaping @Sendable (_ isWanted: () -> Bool) -> Product
    ) throws(JobRefusal) {
        guard running.wrappingAdd(1, ordering: .relaxed).newValue <= Self.most else {
            running.wrappingSubtract(1, ordering: .relaxed)
            throw JobRefusal("\(Self.most) files are being read or written already; try again later")
        }
        let body = { @Sendable [self] in
            let product = work { [self] in state.withLock { !$0.isGivenUp } }
            let isWanted = state.withLock { state in
                if !state.isGivenUp { state.product = product }
                return !state.isGivenUp
            }
            running.wrappingSubtract(1, ordering: .relaxed)
            if isWanted { onEnd() }
        }
        do throws(ThreadError) { _ = try ProgramThread(name, body: body) } catch {
            running.wrappingSubtract(1, ordering: .relaxed)
            throw JobRefusal("\(error)")
        }
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
