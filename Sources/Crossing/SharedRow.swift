public import Synchronization

/// A row of numbers that two threads share, each number by itself: what an effect is set to, or what it reports.
///
/// The last write of a number wins and nobody waits. Whoever made the row keeps it; the realtime side works on its
/// ``view``.
public final class SharedRow: Sendable {
    // SAFETY: atomics, freed when nobody holds the row; whoever uses `view` on another thread holds the row as well.
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

    /// The number, which becomes 0.
    public func take(_ place: Int) -> Float {
        precondition(place >= 0 && place < count)
        return Float(bitPattern: words[place].exchange(0, ordering: .relaxed))
    }

    public var view: View { View(words: words) }

    /// What the realtime side works on, as long as somebody holds the row.
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

        /// Raises a level to `value`. Against ``SharedRow/take(_:)`` at the same moment a level may be told twice.
        @_noLocks @_noAllocation @inlinable
        public func raise(_ place: Int, to value: Float) { if value > self[place] { set(place, value) } }
    }
}
