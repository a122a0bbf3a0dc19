/// The time of every captured frame, from many readings of a clock that trembles: a line through them.
public struct CaptureClock: Sendable {
    /// A frame and when it was at the converter.
    public struct Reading: Sendable {
        public var frame: Int
        /// CLOCK_MONOTONIC nanoseconds.
        public var time: UInt64
        /// False when it was there then or later.
        public var isExact: Bool

        public init(frame: Int, time: UInt64, isExact: Bool = true) {
            self.frame = frame
            self.time = time
            self.isExact = isExact
        }
    }

    private typealias Point = (x: Double, y: Double, isExact: Bool)

    /// Exact readings among all from which those alone are believed.
    private static let enough = 0.05
    /// Of earliest times, the share that the line lies above: what is beyond trembles.
    private static let envelope = 0.98

    private let origin: UInt64
    private let first: Double
    private let slope: Double

    /// - Parameters:
    ///   - readings: the first tenth is left out, while the device finds its pace.
    ///   - rate: frames per second, as it should be.
    /// - Returns: nil without readings.
    public init?(_ readings: [Reading], rate: Double) {
        let kept = readings.dropFirst(readings.count / 10)
        guard let start = kept.first, kept.count >= 2 else { return nil }
        origin = start.time
        let points = kept.map { reading -> Point in
            (Double(reading.frame), Double(Int64(bitPattern: reading.time &- start.time)), reading.isExact)
        }
        let slope = Self.slope(points, rate)
        func rests(_ points: [Point]) -> [Double] { points.map { $0.y - slope * $0.x }.sorted() }
        let exact = points.filter(\.isExact)
        if Double(exact.count) >= Self.enough * Double(points.count) {
            let rests = rests(exact)
            first = rests[rests.count / 2]
        } else {
            let rests = rests(points)
            first = rests[min(rests.count - 1, Int(Self.envelope * Double(rests.count)))]
        }
        self.slope = slope
    }

    /// Nanoseconds per frame: least squares, again and again without what lies further off than four medians.
    private static func slope(_ points: [Point], _ rate: Double) -> Double {
        var (points, slope) = (points, 1e9 / rate)
        for _ in 0..<6 {
            let count = Double(points.count)
            let (meanX, meanY) = (points.map(\.x).reduce(0, +) / count, points.map(\.y).reduce(0, +) / count)
            let square = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
            if square > 0 { slope = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / square }
            // No clock is further off; what looks so is too short a time.
            slope = max(0.999e9 / rate, min(1.001e9 / rate, slope))
            let line = (slope, meanY - slope * meanX)
            let sizes = points.map { abs($0.y - line.0 * $0.x - line.1) }.sorted()
            let limit = max(4 * sizes[sizes.count / 2], 1000)
            points = points.filter { abs($0.y - line.0 * $0.x - line.1) <= limit }
        }
        return slope
    }

    /// CLOCK_MONOTONIC nanoseconds.
    public func time(frame: Int) -> Int64 { Int64(origin) + Int64(slope * Double(frame) + first) }
}
