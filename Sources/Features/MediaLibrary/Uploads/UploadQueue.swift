internal import Dispatch
internal import Synchronization
internal import Web

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

    /// Marks the end of the bytes.
    func complete() {
        state.withLock { $0.isComplete = true }
        arrived.signal()
    }

    /// Closes the queue: waiting and further bytes are dropped.
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

/// Keeps a client that sends a file from being faster than the disk: it is paused while many bytes wait.
struct UploadFlow {
    /// Bytes that wait for the disk when the client is paused, when it may continue, and at which the connection is closed.
    private static let (high, low, limit) = (4 << 20, 1 << 20, 64 << 20)
    private var isPaused = false

    /// Notes a received piece.
    /// - Parameter waiting: bytes that wait, that piece included.
    /// - Returns: false when the connection has to end.
    mutating func receive(_ connection: Connection, waiting: Int) -> Bool {
        if waiting > Self.high, !isPaused {
            isPaused = true
            connection.pauseReading()
            connection.endPieceTimeout()
        }
        return waiting <= Self.limit
    }

    /// Lets the client continue when there is room.
    mutating func settle(_ connection: Connection, waiting: Int) {
        guard isPaused, waiting < Self.low else { return }
        isPaused = false
        connection.resumeReading()
    }
}
