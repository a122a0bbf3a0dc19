public import Synchronization

/// A row of counts, written by the realtime side and read by the control side. The last write of a count wins.
public final class CountRow: Sendable {
    // SAFETY: atomics, freed when nobody holds the row; a thread that uses `view` holds the row as well.
    private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<Int>>
    public let count: Int

    /// - Parameter count: number of counts; they begin at 0.
    public init(count: Int) {
        self.count = count
        words = .allocate(capacity: max(1, count))
        for i in 0..<count { (words + i).initialize(to: Atomic(0)) }
    }

    deinit {
        words.deinitialize(count: count)
        words.deallocate()
    }

    public subscript(place: Int) -> Int {
        precondition(place >= 0 && place < count)
        return words[place].load(ordering: .relaxed)
    }

    public var view: View { View(words: words) }

    /// The realtime side's access, valid as long as the row is held.
    // SAFETY: points to atomics.
    @frozen
    public struct View: BitwiseCopyable, @unchecked Sendable {
        @usableFromInline let words: UnsafeMutablePointer<Atomic<Int>>

        @usableFromInline
        init(words: UnsafeMutablePointer<Atomic<Int>>) { self.words = words }

        @_noLocks @_noAllocation @inlinable
        public func set(_ place: Int, _ count: Int) { words[place].store(count, ordering: .relaxed) }
    }
}
