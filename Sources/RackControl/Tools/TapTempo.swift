/// The tempo of what is tapped: by the median of the last intervals, so that one tap out of time does little.
public struct TapTempo: Sendable {
    /// Seconds after which a tap begins anew: slower than 20 a minute.
    private static let longest = 3.0
    private static let most = 8

    private var last: UInt64?
    private var intervals: [Double] = []

    public init() {}

    /// - Parameter time: of the tap, nanoseconds.
    /// - Returns: beats per minute; nil at the first tap.
    public mutating func tap(at time: UInt64) -> Float? {
        defer { last = time }
        guard let last, time > last else { return nil }
        let seconds = Double(time - last) / 1e9
        guard seconds < Self.longest else {
            intervals = []
            return nil
        }
        intervals = intervals.suffix(Self.most - 1) + [seconds]
        let sorted = intervals.sorted()
        let middle = 0.5 * (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2])
        return Float(60 / middle)
    }
}
