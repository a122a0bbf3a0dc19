public import Parameters
public import Synchronization

/// One atomic word per scalar parameter, in engine units (decibels as a factor).
///
/// The control side writes targets, the realtime side reads them, and writes those whose time it was told; the last
/// write wins and nobody waits. Vectors, texts and impulses have a word too, which nobody reads.
public final class ParameterStore: Sendable {
    // SAFETY: atomics, freed only when every reader, which holds this object, is gone.
    @usableFromInline nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt32>>
    public let tree: ParameterTree

    public init(_ tree: ParameterTree) {
        self.tree = tree
        words = .allocate(capacity: tree.nodes.count)
        for node in tree.nodes {
            let initial = node.spec.isScalar ? node.spec.initial.numbers.first ?? 0 : 0
            (words + node.slot).initialize(to: Atomic(node.spec.engineValue(initial).bitPattern))
        }
    }

    deinit {
        words.deinitialize(count: tree.nodes.count)
        words.deallocate()
    }

    /// Control side: `value` in the units of the interface, already clamped.
    public func set(_ slot: Int, _ value: Float) {
        words[slot].store(tree.nodes[slot].spec.engineValue(value).bitPattern, ordering: .relaxed)
    }

    /// What the realtime side may hold of it.
    public func makeReader() -> ParameterReader { ParameterReader(self) }
}

/// Realtime half of ``ParameterStore``.
public struct ParameterReader: ~Copyable, Sendable {
    private let owner: ParameterStore
    // SAFETY: lives as long as `owner`.
    @usableFromInline nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt32>>

    init(_ store: ParameterStore) {
        owner = store
        words = store.words
    }

    /// The target of the scalar parameter in `slot`, in engine units.
    @_noLocks @_noAllocation @inlinable
    public func target(_ slot: Int) -> Float {
        Float(bitPattern: words[slot].load(ordering: .relaxed))
    }

    /// Sets a target whose time has come; in engine units.
    @_noLocks @_noAllocation @inlinable
    public func set(_ slot: Int, _ value: Float) { words[slot].store(value.bitPattern, ordering: .relaxed) }
}
