/// Place of a head between two neighbouring turns of a ``FilterBank``.
public struct FilterPlace: BitwiseCopyable, Sendable, Equatable {
    /// The turns on either side, counted from 0.
    public let turn: Int
    public let next: Int
    /// Share of `next`, 0 to 1.
    public var share: Float

    /// A place exactly at turn 0.
    @_noLocks @_noAllocation
    public init() { self.init(turn: 0, next: 0, share: 0) }

    @_noLocks @_noAllocation
    init(turn: Int, next: Int, share: Float) { (self.turn, self.next, self.share) = (turn, next, share) }

    /// Share of a turn; 0 for turns other than these two.
    @_noLocks @_noAllocation
    public func share(_ other: Int) -> Float { (other == turn ? 1 - share : 0) + (other == next ? share : 0) }
}
