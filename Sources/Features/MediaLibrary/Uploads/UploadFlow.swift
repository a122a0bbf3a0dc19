internal import Web

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
