/// Histogram of durations between powers of two of nanoseconds, cheap enough for the audio thread.
public struct DurationCounts: BitwiseCopyable, Sendable {
    /// Number of buckets. Bucket i counts durations below 2^(14 + i) ns (16 microseconds to 34 ms), the last one all longer ones.
    public static var buckets: Int { @_noLocks @_noAllocation get { 13 } }

    public private(set) var counts: InlineArray<13, Int64> = .init(repeating: 0)

    @_noLocks @_noAllocation
    public init() {}

    /// - Parameter nanoseconds: a duration; a negative one counts as 0.
    @_noLocks @_noAllocation
    public mutating func note(_ nanoseconds: Int64) {
        let bits = 64 &- (nanoseconds > 0 ? nanoseconds : 0).leadingZeroBitCount
        let bucket = bits > 14 ? bits &- 14 : 0
        let place = bucket < 13 ? bucket : 12
        counts[place] = counts[place] &+ 1
    }

    /// Upper bounds in seconds of all buckets but the last.
    public static var bounds: [Double] { (0..<12).map { Double(1 << (14 + $0)) / 1e9 } }
}
