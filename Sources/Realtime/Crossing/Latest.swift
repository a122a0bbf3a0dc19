public import Synchronization

/// The newest value from one thread to another: a head pose, a meter frame.
///
/// Three places change owners through one atomic exchange, so that a reader never sees parts of two values and neither
/// side waits.
@frozen
public struct Latest<Value: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
    public let writer: Writer
    public let reader: Reader

    public init(_ initial: Value) {
        let storage = Storage(initial)
        writer = Writer(storage)
        reader = Reader(storage)
    }

    // SAFETY: places 0, 1 and 2 belong to the writer, to the reader and to neither, in an order that only the exchange
    // on `spare` changes.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        /// Consecutive cache lines, the first for `spare`: data that is read together is fetched together.
        private let memory = UnsafeMutableRawPointer.allocate(
            byteCount: 64 + 3 * MemoryLayout<Value>.stride, alignment: 64)
        @usableFromInline let places: UnsafeMutablePointer<Value>
        @usableFromInline let spare: UnsafeMutablePointer<Atomic<UInt8>>

        init(_ initial: Value) {
            precondition(MemoryLayout<Value>.alignment <= 64, "a value's alignment must be at most 64 bytes")
            places = (memory + 64).bindMemory(to: Value.self, capacity: 3)
            spare = memory.bindMemory(to: Atomic<UInt8>.self, capacity: 1)
            places.initialize(repeating: initial, count: 3)
            spare.initialize(to: Atomic(2))
        }

        deinit {
            spare.deinitialize(count: 1)
            memory.deallocate()
        }
    }

    public struct Writer: ~Copyable, Sendable {
        private let owner: Storage
        // SAFETY: the pointers live as long as `owner`; this end writes only place `mine`.
        @usableFromInline nonisolated(unsafe) let places: UnsafeMutablePointer<Value>
        // SAFETY: as above.
        @usableFromInline nonisolated(unsafe) let spare: UnsafeMutablePointer<Atomic<UInt8>>
        @usableFromInline var mine: UInt8 = 0

        init(_ s: Storage) {
            owner = s
            places = s.places
            spare = s.spare
        }

        @inlinable
        // Bit 7 of `spare` marks the place without an owner as newer than the reader's.
        public mutating func publish(_ value: Value) {
            places[Int(mine)] = value
            mine = spare.pointee.exchange(mine | 0x80, ordering: .acquiringAndReleasing) & 0x7F
        }
    }

    public struct Reader: ~Copyable, Sendable {
        private let owner: Storage
        // SAFETY: the pointers live as long as `owner`; this end reads only place `mine`.
        @usableFromInline nonisolated(unsafe) let places: UnsafeMutablePointer<Value>
        // SAFETY: as above.
        @usableFromInline nonisolated(unsafe) let spare: UnsafeMutablePointer<Atomic<UInt8>>
        @usableFromInline var mine: UInt8 = 1

        init(_ s: Storage) {
            owner = s
            places = s.places
            spare = s.spare
        }

        /// True when ``read()`` will return a value that it has not returned before.
        @inlinable
        public var hasNews: Bool { spare.pointee.load(ordering: .relaxed) & 0x80 != 0 }

        /// Returns the newest published value, or the same one again when nothing is new.
        @inlinable
        public mutating func read() -> Value { view().pointee }

        /// Like ``read()``, as a pointer that is valid until this end reads again.
        @inlinable
        public mutating func view() -> UnsafePointer<Value> {
            if spare.pointee.load(ordering: .relaxed) & 0x80 != 0 {
                mine = spare.pointee.exchange(mine, ordering: .acquiringAndReleasing) & 0x7F
            }
            return UnsafePointer(places + Int(mine))
        }
    }
}
