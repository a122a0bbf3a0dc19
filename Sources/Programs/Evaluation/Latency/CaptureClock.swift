/// Clock of captured frames, from many readings of a clock with jitter and jumps.
///
/// Readings are lower bounds: a sound server's monitor delivers sound in chunks before it is played, and ALSA reports no
/// negative delay, so that only the first frame of a chunk has the correct time and the others are too early. The latest
/// readings within a second around a frame are therefore used.
public struct CaptureClock: Sendable {
    /// A frame and the time at which it was at the converter.
    public struct Reading: Sendable {
        public var frame: Int
        /// CLOCK_MONOTONIC nanoseconds.
        public var time: UInt64

        public init(frame: Int, time: UInt64) {
            self.frame = frame
            self.time = time
        }
    }

    /// Quantile of the readings around a frame that is used as its time; later readings are jitter.
    private static let share = 0.9

    private let readings: [Reading]
    /// Nanoseconds per frame.
    private let slope: Double
    private let rate: Double

    /// - Parameter rate: nominal rate in frames per second.
    /// - Returns: nil without readings.
    public init?(_ readings: [Reading], rate: Double) {
        guard let start = readings.first else { return nil }
        self.readings = readings
        self.rate = rate
        slope = Self.slope(
            readings.map { (Double($0.frame - start.frame), Double(Int64(bitPattern: $0.time &- start.time))) }, rate)
    }

    /// Fits the slope by iterated least squares, without readings further off than four medians.
    private static func slope(_ all: [(x: Double, y: Double)], _ rate: Double) -> Double {
        var (points, slope) = (all, 1e9 / rate)
        for _ in 0..<6 {
            let count = Double(points.count)
            let (meanX, meanY) = (points.map(\.x).reduce(0, +) / count, points.map(\.y).reduce(0, +) / count)
            let square = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
            if square > 0 { slope = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / square }
            // No clock deviates more; an apparent deviation comes from a short measurement or a jump.
            slope = max(0.9995e9 / rate, min(1.0005e9 / rate, slope))
            let line = (slope, meanY - slope * meanX)
            let sizes = points.map { abs($0.y - line.0 * $0.x - line.1) }.sorted()
            let limit = max(4 * sizes[sizes.count / 2], 1000)
            points = points.filter { abs($0.y - line.0 * $0.x - line.1) <= limit }
        }
        return slope
    }

    /// Returns the time of a frame, CLOCK_MONOTONIC nanoseconds.
    public func time(frame: Int) -> Int64 {
        let reach = Int(clamping: rate / 2)
        var near = place(frame - reach)..<place(frame + reach)
        // Outside the range of readings, the nearest ones are used.
        if near.isEmpty { near = max(0, near.lowerBound - 50)..<min(readings.count, max(50, near.lowerBound)) }
        let times = near.map { Int64(readings[$0].time) + Int64(clamping: slope * Double(frame - readings[$0].frame)) }.sorted()
        return times[min(times.count - 1, Int(clamping: Self.share * Double(times.count)))]
    }

    /// Returns the frame at the converter at a time, CLOCK_MONOTONIC nanoseconds.
    public func frame(at time: UInt64) -> Int {
        let guess = Int(clamping: Double(Int64(time) - self.time(frame: 0)) / 1e9 * rate)
        // Corrects for the deviation from the nominal rate.
        return guess + Int(clamping: (Double(Int64(time) - self.time(frame: guess)) / 1e9 * rate).rounded(.down))
    }

    /// Returns the index of the first reading at or after a frame.
    private func place(_ frame: Int) -> Int {
        var (first, past) = (0, readings.count)
        while first < past {
            let middle = (first + past) / 2
            if readings[middle].frame < frame { first = middle + 1 } else { past = middle }
        }
        return first
    }
}

/// Clock of rendered frames, from exact readings of a clock that may jump between them.
///
/// For a device paced by the system clock: after a late renderer it skips the missed blocks, and every later frame is
/// output later by that time. The time of a frame is therefore derived from the nearest reading only.
public struct StampClock: Sendable {
    private let readings: [CaptureClock.Reading]
    private let rate: Double

    /// - Parameters:
    ///   - readings: readings in order of frames and times.
    ///   - rate: frames per second.
    /// - Returns: nil without readings.
    public init?(_ readings: [CaptureClock.Reading], rate: Double) {
        guard !readings.isEmpty else { return nil }
        self.readings = readings
        self.rate = rate
    }

    /// Returns the time of a frame, CLOCK_MONOTONIC nanoseconds.
    public func time(frame: Int) -> Int64 {
        let reading = nearest { Double($0.frame - frame) }
        return Int64(reading.time) + Int64(clamping: (Double(frame - reading.frame) * 1e9 / rate).rounded())
    }

    /// Returns the frame output at a time, CLOCK_MONOTONIC nanoseconds.
    public func frame(at time: UInt64) -> Int {
        let reading = nearest { Double(Int64($0.time) - Int64(time)) }
        return reading.frame + Int(clamping: (Double(Int64(time) - Int64(reading.time)) / 1e9 * rate).rounded(.down))
    }

    /// - Parameter distance: returns a signed distance that increases from reading to reading.
    private func nearest(_ distance: (CaptureClock.Reading) -> Double) -> CaptureClock.Reading {
        var (first, past) = (0, readings.count)
        while first < past {
            let middle = (first + past) / 2
            if distance(readings[middle]) < 0 { first = middle + 1 } else { past = middle }
        }
        let (before, after) = (max(0, first - 1), min(readings.count - 1, first))
        return abs(distance(readings[before])) <= abs(distance(readings[after])) ? readings[before] : readings[after]
    }
}
