internal import Files
internal import Synchronization
internal import Threads

/// A part of a file on its way into a socket: another thread reads it in pieces, one ahead of those that are sent.
package final class FileFeed: Sendable {
    /// Bytes of a piece.
    private static let piece = 256 << 10

    private struct State {
        var bytes: [UInt8] = []
        /// Number of these that were taken.
        var taken = 0
        /// Place in the file of the next piece.
        var next: Int
        var isReading = false
        var hasFailed = false
    }

    private let file: RegularFile
    private let end: Int
    private let work: SerialWork
    private let onBytes: @Sendable () -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - work: the thread that reads.
    ///   - onBytes: called on that thread after each piece.
    init(_ file: RegularFile, _ range: Range<Int>, work: SerialWork, onBytes: @escaping @Sendable () -> Void) {
        (self.file, end, self.work, self.onBytes) = (file, range.upperBound, work, onBytes)
        state = Mutex(State(next: range.lowerBound))
    }

    /// Reads the next piece; called on the thread that reads.
    func read() {
        let place = state.withLock { $0.next }
        let size = min(Self.piece, end - place)
        var isRead = false
        let piece = [UInt8](unsafeUninitializedCapacity: size) { memory, count in
            isRead = file.read(into: UnsafeMutableRawBufferPointer(memory), at: place)
            count = isRead ? size : 0
        }
        state.withLock { state in
            state.bytes.removeFirst(state.taken)
            state.taken = 0
            state.bytes += piece
            state.next += piece.count
            (state.isReading, state.hasFailed) = (false, !isRead)
        }
    }

    /// Takes the next bytes, at most as many as `memory` has room for, and lets more be read.
    /// - Returns: their number, 0 while they are being read; nil when the file has become shorter or cannot be read.
    func take(into memory: UnsafeMutableRawBufferPointer) -> Int? {
        let (count, reads) = state.withLock { state in
            let count = min(memory.count, state.bytes.count - state.taken)
            state.bytes.withUnsafeBytes { memory.copyMemory(from: .init(rebasing: $0[state.taken..<(state.taken + count)])) }
            state.taken += count
            let reads = !state.isReading && !state.hasFailed && state.next < end && state.bytes.count - state.taken < Self.piece / 2
            if reads { state.isReading = true }
            return (count == 0 && state.hasFailed ? nil : count, reads)
        }
        if reads {
            work.add { [self] in
                read()
                onBytes()
            }
        }
        return count
    }
}
