/// The time of every captured frame, from many readings of a clock that trembles: a line through them.
public struct CaptureClock: Sendable {
    private let origin: UInt64
    private let first: Double
    private let slope: Double
    /// Nanoseconds: half of the readings lie closer to the line.
    public let deviation: Double

    /// - Parameters:
    ///   - times: frames and when they were, CLOCK_MONOTONIC nanoseconds; the first tenth is left out, while the device
    ///     finds its pace.
    ///   - rate: frames per second, as it should be.
    /// - Returns: nil without readings.
    public init?(_ times: [(frame: Int, time: UInt64)], rate: Double) {
        let kept = times.dropFirst(times.count / 10)
        guard let start = kept.first, kept.count >= 2 else { return nil }
        origin = start.time
        var points = kept.map { (x: Double($0.frame), y: Double(Int64(bitPattern: $0.time &- start.time))) }
        var (slope, first, median) = (1e9 / rate, 0.0, 0.0)
        // Least squares, then without what lies further off than four medians, again and again.
        for _ in 0..<6 {
            let count = Double(points.count)
            let (meanX, meanY) = (points.map(\.x).reduce(0, +) / count, points.map(\.y).reduce(0, +) / count)
            let square = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
            if square > 0 { slope = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / square }
            // No clock is further off; what looks so is too short a time.
            slope = max(0.999e9 / rate, min(1.001e9 / rate, slope))
            first = meanY - slope * meanX
            let line = (slope, first)
            let sizes = points.map { abs($0.y - line.0 * $0.x - line.1) }.sorted()
            median = sizes[sizes.count / 2]
            let limit = max(4 * median, 1000)
            points = points.filter { abs($0.y - line.0 * $0.x - line.1) <= limit }
        }
        (self.slope, self.first, deviation) = (slope, first, median)
    }

    /// CLOCK_MONOTONIC nanoseconds.
    public func time(frame: Int) -> Int64 { Int64(origin) + Int64(slope * Double(frame) + first) }
}
