internal import CWebSockets
internal import Synchronization

/// Wakes or ends a server's loop from other threads. Both return at once.
public final class LoopHandle: Sendable {
    /// The address of libwebsockets' context, or 0: used only under the lock, and removed under it before the context is
    /// destroyed.
    private let context = Mutex<UInt>(0)
    private let isWaking = Atomic(false)
    private let stopped = Atomic(false)

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    func attach(_ newContext: OpaquePointer?) {
        let address = UInt(bitPattern: newContext)
        context.withLock { $0 = address }
    }

    /// Makes the loop call ``EventLoop/onWake`` soon. Wakes that have not been served yet count as one.
    public func wake() {
        guard !isWaking.exchange(true, ordering: .acquiringAndReleasing) else { return }
        cancel()
    }

    /// Ends ``WebServer/run()``; a loop that has not begun yet ends at once.
    public func stop() {
        stopped.store(true, ordering: .releasing)
        cancel()
    }

    /// Called by the loop before it serves a wake.
    /// - Returns: false when the library woke by itself, as it does at its start.
    func acknowledge() -> Bool { isWaking.exchange(false, ordering: .sequentiallyConsistent) }

    private func cancel() {
        context.withLock { if let context = OpaquePointer(bitPattern: $0) { lws_cancel_service(context) } }
    }
}
