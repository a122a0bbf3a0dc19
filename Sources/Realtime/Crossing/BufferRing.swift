internal import Synchronization

/// A bounded queue of equally large pieces of memory from one thread to another: each is written in place, and read in place.
///
/// Like ``Ring``, for values whose size is only known when the queue is made. Neither side ever waits.
@frozen
public struct BufferRing: ~Copyable, Sendable {
    public let producer: Producer
    public let consumer: Consumer

    /// - Parameters:
    ///   - pieces: number of pieces; a power of two.
    ///   - bytes: size of each piece. Pieces begin at cache lines and are filled with zeros.
    public init(pieces: Int, bytes: Int) {
        let storage = Storage(pieces: pieces, bytes: bytes)
        producer = Producer(storage)
        consumer = Consumer(storage)
    }

    // SAFETY: pieces `head..<tail` belong to the consumer, the rest to the producer; the sides share nothing but the two counters.
    final class Storage: @unchecked Sendable {
        let counters = RingCounters()
        let memory: UnsafeMutableRawPointer
        let stride: Int
        let pieces: Int

        init(pieces: Int, bytes: Int) {
            precondition(pieces > 0 && pieces & (pieces - 1) == 0, "the number of pieces must be a power of two")
            stride = (bytes + 63) / 64 * 64
            self.pieces = pieces
            memory = .allocate(byteCount: pieces * stride, alignment: 64)
            memory.initializeMemory(as: UInt8.self, repeating: 0, count: pieces * stride)
        }

        deinit { memory.deallocate() }
    }

    /// State shared by both ends.
    struct End: ~Copyable, Sendable {
        private let owner: Storage
        // SAFETY: the pointers live as long as `owner`.
        nonisolated(unsafe) let head: UnsafeMutablePointer<Atomic<Int>>
        // SAFETY: as above.
        nonisolated(unsafe) let tail: UnsafeMutablePointer<Atomic<Int>>
        // SAFETY: as above.
        private nonisolated(unsafe) let memory: UnsafeMutableRawPointer
        private let stride: Int
        let pieces: Int

        init(_ storage: Storage) {
            owner = storage
            head = storage.counters.head
            tail = storage.counters.tail
            memory = storage.memory
            stride = storage.stride
            pieces = storage.pieces
        }

        @_noLocks @_noAllocation
        func piece(_ number: Int) -> UnsafeMutableRawPointer { memory + (number & (pieces &- 1)) &* stride }
    }

    public struct Producer: ~Copyable, Sendable {
        private let end: End

        init(_ storage: Storage) { end = End(storage) }

        /// Returns memory for the next piece, which ``commit()`` hands over; nil when the queue is full.
        @_noLocks @_noAllocation
        public func claim() -> UnsafeMutableRawPointer? {
            let at = end.tail.pointee.load(ordering: .relaxed)
            guard at &- end.head.pointee.load(ordering: .acquiring) < end.pieces else { return nil }
            return end.piece(at)
        }

        /// Hands over the piece that ``claim()`` returned.
        @_noLocks @_noAllocation
        public mutating func commit() {
            end.tail.pointee.store(end.tail.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
        }
    }

    public struct Consumer: ~Copyable, Sendable {
        private let end: End
        public var capacity: Int { @_noLocks @_noAllocation get { end.pieces } }

        init(_ storage: Storage) { end = End(storage) }

        /// Number of pieces that can be read now.
        public var available: Int {
            @_noLocks @_noAllocation get {
                end.tail.pointee.load(ordering: .acquiring) &- end.head.pointee.load(ordering: .relaxed)
            }
        }

        /// The oldest piece, which this end may read and change until ``release(_:)``.
        /// - Precondition: ``available`` is not 0.
        public var oldest: UnsafeMutableRawPointer {
            @_noLocks @_noAllocation get { end.piece(end.head.pointee.load(ordering: .relaxed)) }
        }

        /// A piece behind the oldest, as above.
        /// - Precondition: ``available`` is more than `place`.
        @_noLocks @_noAllocation
        public func piece(_ place: Int) -> UnsafeMutableRawPointer { end.piece(end.head.pointee.load(ordering: .relaxed) &+ place) }

        /// Returns the oldest pieces to the producer.
        @_noLocks @_noAllocation
        public mutating func release(_ count: Int = 1) {
            end.head.pointee.store(end.head.pointee.load(ordering: .relaxed) &+ count, ordering: .releasing)
        }
    }
}
