internal import CWebSockets
internal import Synchronization

/// What other threads may do with a server's loop: wake it, and end it. Both return at once.
public final class LoopHandle: Sendable {
    /// The address of libwebsockets' context, 0 when there is none: used only under the lock, and taken away
    /// under it before the context is destroyed.
    private let context = Mutex<UInt>(0)
    private let isWaking = Atomic(false)
    private let stopped = Atomic(false)

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    func attach(_ newContext: OpaquePointer?) {
        let address = UInt(bitPattern: newContext)
        context.withLock { $0 = address }
    }

    /// Makes the loop call ``WebServer/onWake`` soon. Wakes that have not been served yet count as one.
    public func wake() {
        guard !isWaking.exchange(true, ordering: .acquiringAndReleasing) else { return }
        cancel()
    }

    /// Ends ``WebServer/run()``; before it has begun, it will end at once.
    public func stop() {
        stopped.store(true, ordering: .releasing)
        cancel()
    }

    /// The loop, before it looks at what it was woken for.
    func acknowledge() { isWaking.store(false, ordering: .sequentiallyConsistent) }

    private func cancel() {
        context.withLock { if let context = OpaquePointer(bitPattern: $0) { lws_cancel_service(context) } }
    }
}
