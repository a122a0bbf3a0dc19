public import Synchronization

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

/// Numbers shared by two threads, each independent of the others: settings in one direction, reports in the other.
///
/// The latest write of a number counts and no thread waits. The control side owns the row; the realtime side works on
/// its ``view``.
public final class TargetRow: Sendable {
    // SAFETY: atomics, freed with the row; a thread that uses `view` holds the row as well.
    private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt32>>
    public let count: Int

    public init(_ values: [Float]) {
        count = values.count
        words = .allocate(capacity: max(1, count))
        for (i, value) in values.enumerated() { (words + i).initialize(to: Atomic(value.bitPattern)) }
    }

    deinit {
        words.deinitialize(count: count)
        words.deallocate()
    }

    public subscript(place: Int) -> Float {
        get {
            precondition(place >= 0 && place < count)
            return view[place]
        }
        set {
            precondition(place >= 0 && place < count)
            view.set(place, newValue)
        }
    }

    /// Returns the number and resets it to 0.
    public func take(_ place: Int) -> Float {
        precondition(place >= 0 && place < count)
        return Float(bitPattern: words[place].exchange(0, ordering: .relaxed))
    }

    public var view: View { View(words: words) }

    /// The realtime side's access, valid while the row exists.
    // SAFETY: points to atomics.
    @frozen
    public struct View: BitwiseCopyable, @unchecked Sendable {
        @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt32>>

        @usableFromInline
        init(words: UnsafeMutablePointer<Atomic<UInt32>>) { self.words = words }

        @inlinable
        public subscript(place: Int) -> Float {
            @_noLocks @_noAllocation get { Float(bitPattern: words[place].load(ordering: .relaxed)) }
        }

        @_noLocks @_noAllocation @inlinable
        public func set(_ place: Int, _ value: Float) { words[place].store(value.bitPattern, ordering: .relaxed) }

        /// Raises a level to `value`. A level may be reported twice when ``TargetRow/take(_:)`` runs at the same moment.
        @_noLocks @_noAllocation @inlinable
        public func raise(_ place: Int, to value: Float) { if value > self[place] { set(place, value) } }
    }
}
