/// Number of times that sound left the ``SoundRange`` at one place and its state was cleared.
public struct RangeCounts: BitwiseCopyable, Sendable {
    public var resets = 0
    /// Number of resets because of infinite samples or NaN.
    public var nonFinite = 0

    @_noLocks @_noAllocation
    public init() {}

    /// Notes a block that was not plausible.
    @_noLocks @_noAllocation
    public mutating func note(_ verdict: SoundRange.Verdict) {
        resets = resets &+ 1
        if !verdict.isFinite { nonFinite = nonFinite &+ 1 }
    }

    @_noLocks @_noAllocation
    public static func + (a: RangeCounts, b: RangeCounts) -> RangeCounts {
        var sum = a
        sum.resets = a.resets &+ b.resets
        sum.nonFinite = a.nonFinite &+ b.nonFinite
        return sum
    }
}
