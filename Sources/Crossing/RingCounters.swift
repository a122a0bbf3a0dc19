public import Synchronization

/// The read and write counts of a ring, each on a cache line of its own so that the two
/// threads do not take it from each other with every element.
// SAFETY: atomics; each is stored to by one end only.
@usableFromInline
final class RingCounters: @unchecked Sendable {
    @usableFromInline let head: UnsafeMutablePointer<Atomic<Int>>
    // SAFETY: as above.
    @usableFromInline let tail: UnsafeMutablePointer<Atomic<Int>>
    private let memory: UnsafeMutableRawPointer

    /// Two lines apart: processors that prefetch pairs of lines would join neighbours again.
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
