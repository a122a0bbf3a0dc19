internal import Dispatch
internal import Synchronization

/// Bytes on their way from the control thread, which never waits, to the thread that writes them.
final class UploadQueue: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isComplete = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    /// Number of bytes that have not been taken.
    var waiting: Int { state.withLock { $0.bytes.count } }

    /// Adds bytes, unless the queue is closed.
    func put(_ more: UnsafeRawBufferPointer) {
        state.withLock { if !$0.isClosed { $0.bytes.append(contentsOf: more) } }
        arrived.signal()
    }

    /// No bytes follow.
    func complete() {
        state.withLock { $0.isComplete = true }
        arrived.signal()
    }

    /// Nothing more is accepted: waiting and further bytes are dropped.
    func close() {
        state.withLock {
            $0.isClosed = true
            $0.bytes = []
        }
        arrived.signal()
    }

    /// Waits for bytes and takes all of them.
    /// - Returns: nil when the queue is complete and empty, or closed.
    func take() -> [UInt8]? {
        while true {
            let (bytes, isOver) = state.withLock { state in
                defer { state.bytes = [] }
                return (state.bytes, state.isClosed || state.isComplete)
            }
            if !bytes.isEmpty { return bytes }
            if isOver { return nil }
            arrived.wait()
        }
    }

    /// Whether all bytes have arrived, and the queue was not closed.
    var isWhole: Bool { state.withLock { $0.isComplete && !$0.isClosed } }
}
