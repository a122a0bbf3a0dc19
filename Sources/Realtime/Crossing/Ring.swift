public import Synchronization

/// A bounded queue from one thread to another. Neither side ever waits.
///
/// Its two ends are noncopyable: each is moved to the thread that uses it, and a second writer is a compile error.
@frozen
public struct Ring<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
    public let producer: Producer
    public let consumer: Consumer

    /// - Parameter capacity: number of elements that fit; a power of two.
    public init(capacity: Int) {
        let storage = Storage(capacity: capacity)
        producer = Producer(storage)
        consumer = Consumer(storage)
    }

    // SAFETY: `places[head..<tail]` belongs to the consumer, the rest to the producer; the sides share nothing but the
    // two counters.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @usableFromInline let counters = RingCounters()
        @usableFromInline let places: UnsafeMutablePointer<Element>
        @usableFromInline let mask: Int

        init(capacity: Int) {
            precondition(capacity > 0 && capacity & (capacity - 1) == 0, "capacity must be a power of two")
            places = .allocate(capacity: capacity)
            mask = capacity - 1
        }

        deinit { places.deallocate() }
    }

    public struct Producer: ~Copyable, Sendable {
        private let owner: Storage
        // SAFETY: the pointers live as long as `owner`; only this end writes `tail` and free places.
        @usableFromInline nonisolated(unsafe) let head: UnsafeMutablePointer<Atomic<Int>>
        // SAFETY: as above.
        @usableFromInline nonisolated(unsafe) let tail: UnsafeMutablePointer<Atomic<Int>>
        // SAFETY: as above.
        @usableFromInline nonisolated(unsafe) let places: UnsafeMutablePointer<Element>
        @usableFromInline let mask: Int

        init(_ s: Storage) {
            owner = s
            head = s.counters.head
            tail = s.counters.tail
            places = s.places
            mask = s.mask
        }

        /// Returns false, without effect, when the queue is full.
        @inlinable
        public mutating func push(_ element: Element) -> Bool {
            let at = tail.pointee.load(ordering: .relaxed)
            guard at &- head.pointee.load(ordering: .acquiring) <= mask else { return false }
            places[at & mask] = element
            tail.pointee.store(at &+ 1, ordering: .releasing)
            return true
        }
    }

    public struct Consumer: ~Copyable, Sendable {
        private let owner: Storage
        // SAFETY: the pointers live as long as `owner`; only this end writes `head`, and it reads filled places.
        @usableFromInline nonisolated(unsafe) let head: UnsafeMutablePointer<Atomic<Int>>
        // SAFETY: as above.
        @usableFromInline nonisolated(unsafe) let tail: UnsafeMutablePointer<Atomic<Int>>
        // SAFETY: as above.
        @usableFromInline nonisolated(unsafe) let places: UnsafeMutablePointer<Element>
        @usableFromInline let mask: Int

        init(_ s: Storage) {
            owner = s
            head = s.counters.head
            tail = s.counters.tail
            places = s.places
            mask = s.mask
        }

        /// Number of elements that wait.
        @inlinable
        public var count: Int { tail.pointee.load(ordering: .acquiring) &- head.pointee.load(ordering: .relaxed) }

        @inlinable
        public mutating func pop() -> Element? {
            let at = head.pointee.load(ordering: .relaxed)
            guard at != tail.pointee.load(ordering: .acquiring) else { return nil }
            let element = places[at & mask]
            head.pointee.store(at &+ 1, ordering: .releasing)
            return element
        }
    }
}

/// The read and write counters of a ring, each on its own cache line, so that the two threads do not invalidate each
/// other's line with every element.
// SAFETY: atomics; each is stored to by one end only.
@usableFromInline
final class RingCounters: @unchecked Sendable {
    @usableFromInline let head: UnsafeMutablePointer<Atomic<Int>>
    // SAFETY: as above.
    @usableFromInline let tail: UnsafeMutablePointer<Atomic<Int>>
    private let memory: UnsafeMutableRawPointer

    /// Distance in bytes, two cache lines: processors that prefetch pairs of lines would otherwise couple neighbouring
    /// lines.
    private static let apart = 128

    init() {
        memory = .allocate(byteCount: 2 * Self.apart, alignment: Self.apart)
        head = memory.bindMemory(to: Atomic<Int>.self, capacity: 1)
        tail = (memory + Self.apart).bindMemory(to: Atomic<Int>.self, capacity: 1)
        head.initialize(to: Atomic(0))
        tail.initialize(to: Atomic(0))
    }

    deinit {
        head.deinitialize(count: 1)
        tail.deinitialize(count: 1)
        memory.deallocate()
    }
}
