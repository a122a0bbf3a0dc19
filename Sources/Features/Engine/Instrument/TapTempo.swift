/// Tempo from taps: the median of the last intervals, so that one tap out of time changes little.
package struct TapTempo: Sendable {
    /// Seconds after which a tap starts a new measurement; 20 beats per minute are the slowest tempo.
    private static let longest = 3.0
    private static let most = 8

    private var last: UInt64?
    private var intervals: [Double] = []

    package init() {}

    /// - Parameter time: time of the tap, nanoseconds.
    /// - Returns: beats per minute; nil at the first tap.
    package mutating func tap(at time: UInt64) -> Float? {
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
