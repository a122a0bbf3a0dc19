public import Crossing
public import Parameters

/// The targets of all scalar parameters, in engine units (decibels as a factor), indexed as in the tree.
///
/// The control side writes targets. The realtime side reads them, and writes those that were scheduled for a time. The
/// last write wins and no thread waits. Vectors, texts and impulses occupy a word too, which is not used.
public final class ParameterStore: Sendable {
    public let tree: ParameterTree
    private let targets: TargetRow

    public init(_ tree: ParameterTree) {
        self.tree = tree
        targets = TargetRow(
            tree.nodes.map { $0.spec.engineValue($0.spec.isScalar ? $0.spec.initial.numbers.first ?? 0 : 0) })
    }

    /// Sets a target from the control side: `value` in the units of the interface, already clamped.
    public func set(_ index: Int, _ value: Float) { targets[index] = tree.nodes[index].spec.engineValue(value) }

    /// The realtime side's access.
    public func makeReader() -> ParameterReader { ParameterReader(targets) }
}

/// Realtime half of ``ParameterStore``.
public struct ParameterReader: ~Copyable, Sendable {
    private let owner: TargetRow
    @usableFromInline let targets: TargetRow.View

    init(_ targets: TargetRow) {
        owner = targets
        self.targets = targets.view
    }

    /// Target of the scalar parameter with this index, in engine units.
    @_noLocks @_noAllocation @inlinable
    public func target(_ index: Int) -> Float { targets[index] }

    /// Sets a target whose time has come, in engine units.
    @_noLocks @_noAllocation @inlinable
    public func set(_ index: Int, _ value: Float) { targets.set(index, value) }
}
