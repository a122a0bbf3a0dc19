public import Crossing

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
