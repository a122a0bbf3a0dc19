/// Place of a direction between four of a ``DirectionGrid``, two on each neighbouring ring.
public struct DirectionPlace: BitwiseCopyable, Sendable {
    /// Numbers of the four directions.
    let corners: SIMD4<Int32>
    /// Their shares; the sum is 1.
    let shares: SIMD4<Float>

    @_noLocks @_noAllocation
    init(corners: SIMD4<Int32>, shares: SIMD4<Float>) { (self.corners, self.shares) = (corners, shares) }

    @_noLocks @_noAllocation
    public func isSame(_ other: DirectionPlace) -> Bool { corners == other.corners && shares == other.shares }

    /// The first direction of a grid.
    @_noLocks @_noAllocation
    public init() { self.init(corners: .zero, shares: SIMD4(1, 0, 0, 0)) }
}
