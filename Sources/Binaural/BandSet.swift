/// Which forms of the scene somebody needs.
@frozen
public struct BandSet: BitwiseCopyable, Equatable, Sendable {
    @usableFromInline var bits: UInt16

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init() { bits = 0 }

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init(_ band: Taps.Band) { bits = 1 << UInt16(truncatingIfNeeded: band.number) }

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init(_ one: Taps.Band, _ other: Taps.Band) { self = BandSet(one) | BandSet(other) }

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public init(_ one: Taps.Band, _ other: Taps.Band, _ third: Taps.Band) { self = BandSet(one, other) | BandSet(third) }

    @_noLocks @_noAllocation @inlinable @inline(__always)
    public func contains(_ band: Taps.Band) -> Bool { overlaps(BandSet(band)) }

    /// Whether any band of `other` is in this set.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public func overlaps(_ other: BandSet) -> Bool { bits & other.bits != 0 }

    /// What is also in `other`.
    @_noLocks @_noAllocation @inlinable
    public static func & (a: BandSet, b: BandSet) -> BandSet {
        var both = a
        both.bits &= b.bits
        return both
    }

    /// What is not in `other`.
    @_noLocks @_noAllocation @inlinable
    public static func - (a: BandSet, b: BandSet) -> BandSet {
        var rest = a
        rest.bits &= ~b.bits
        return rest
    }

    /// Takes out the first band and returns its number; nil when there is none.
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
