internal import Synchronization

/// How far ahead a renderer looks for one listener, told to whoever brings poses: one word, the last one counts.
// SAFETY: an atomic; freed when all who hold it are gone.
public final class Horizon: @unchecked Sendable {
    private let word = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)

    public init() { word.initialize(to: Atomic(0)) }

    deinit {
        word.deinitialize(count: 1)
        word.deallocate()
    }

    /// Seconds; 0 when nobody looks ahead.
    public var seconds: Float { Float(bitPattern: word.pointee.load(ordering: .relaxed)) }

    /// The realtime side's end; one is enough.
    public func makeWriter() -> Writer { Writer(self, word) }

    /// Realtime half of ``Horizon``.
    public struct Writer: ~Copyable, Sendable {
        private let owner: Horizon
        // SAFETY: lives as long as `owner`.
        private nonisolated(unsafe) let word: UnsafeMutablePointer<Atomic<UInt32>>

        fileprivate init(_ horizon: Horizon, _ word: UnsafeMutablePointer<Atomic<UInt32>>) {
            owner = horizon
            self.word = word
        }

        @_noLocks @_noAllocation
        public func set(_ seconds: Float) { word.pointee.store(seconds.bitPattern, ordering: .relaxed) }
    }
}
