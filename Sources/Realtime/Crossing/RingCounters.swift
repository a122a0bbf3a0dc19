public import Synchronization

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
