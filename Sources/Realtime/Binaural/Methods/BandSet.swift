/// Set of bands of the scene.
@frozen
public struct BandSet: BitwiseCopyable, Equatable, Sendable {
    @usableFromInline var bits: UInt32

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init() { bits = 0 }

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init(_ band: Taps.Band) { bits = 1 << UInt32(truncatingIfNeeded: band.number) }

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init(_ one: Taps.Band, _ other: Taps.Band) { self = BandSet(one) | BandSet(other) }

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init(_ one: Taps.Band, _ other: Taps.Band, _ third: Taps.Band) { self = BandSet(one, other) | BandSet(third) }

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public func contains(_ band: Taps.Band) -> Bool { overlaps(BandSet(band)) }

    /// Whether any band of `other` is in this set.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public func overlaps(_ other: BandSet) -> Bool { bits & other.bits != 0 }

    /// Intersection.
    @_noLocks @_noAllocation @inlinable
    public static func & (a: BandSet, b: BandSet) -> BandSet {
        var both = a
        both.bits &= b.bits
        return both
    }

    /// Difference: the bands that are not in the second set.
    @_noLocks @_noAllocation @inlinable
    public static func - (a: BandSet, b: BandSet) -> BandSet {
        var rest = a
        rest.bits &= ~b.bits
        return rest
    }

    /// Removes the first band and returns its number; nil when the set is empty.
    @_noLocks @_noAllocation @inlinable
    public mutating func popFirst() -> Int? {
        guard bits != 0 else { return nil }
        let first = bits.trailingZeroBitCount
        bits &= bits &- 1
        return first
    }

    @_noLocks @_noAllocation @inlinable
    public static func | (a: BandSet, b: BandSet) -> BandSet {
        var sum = a
        sum.bits |= b.bits
        return sum
    }
}
