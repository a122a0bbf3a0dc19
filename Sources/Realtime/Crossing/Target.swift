internal import Synchronization

/// The latest value of one number, from one thread to any number of others. No thread waits.
// SAFETY: an atomic, freed when both ends are gone.
public final class Target: @unchecked Sendable {
    private let word = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)

    public init(_ initial: Float = 0) { word.initialize(to: Atomic(initial.bitPattern)) }

    deinit {
        word.deinitialize(count: 1)
        word.deallocate()
    }

    public var value: Float { Float(bitPattern: word.pointee.load(ordering: .relaxed)) }

    /// Returns the writing end, for the realtime side.
    public func makeWriter() -> Writer { Writer(self, word) }

    /// Writing end of ``Target``.
    public struct Writer: ~Copyable, Sendable {
        private let owner: Target
        // SAFETY: lives as long as `owner`.
        private nonisolated(unsafe) let word: UnsafeMutablePointer<Atomic<UInt32>>

        fileprivate init(_ target: Target, _ word: UnsafeMutablePointer<Atomic<UInt32>>) {
            owner = target
            self.word = word
        }

        @_noLocks @_noAllocation
        public func set(_ value: Float) { word.pointee.store(value.bitPattern, ordering: .relaxed) }
    }
}
