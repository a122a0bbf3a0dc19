/// The time of every rendered frame, from readings that are exact, of a clock that may jump between them.
///
/// For a device that plays by the computer's own clock: when its renderer was too late it leaves out what it missed, and
/// every frame from there on is heard later by that much. The reading next to a frame therefore tells its time, and no
/// other is asked.
public struct StampClock: Sendable {
    private let readings: [CaptureClock.Reading]
    private let rate: Double

    /// - Parameters:
    ///   - readings: in the order of their frames, and so of their times.
    ///   - rate: frames per second.
    /// - Returns: nil without readings.
    public init?(_ readings: [CaptureClock.Reading], rate: Double) {
        guard !readings.isEmpty else { return nil }
        self.readings = readings
        self.rate = rate
    }

    /// CLOCK_MONOTONIC nanoseconds.
    public func time(frame: Int) -> Int64 {
        let reading = nearest { Double($0.frame - frame) }
        return Int64(reading.time) + Int64((Double(frame - reading.frame) * 1e9 / rate).rounded())
    }

    /// The frame that is heard at a time, CLOCK_MONOTONIC nanoseconds.
    public func frame(at time: UInt64) -> Int {
        let reading = nearest { Double(Int64($0.time) - Int64(time)) }
        return reading.frame + Int((Double(Int64(time) - Int64(reading.time)) / 1e9 * rate).rounded(.down))
    }

    /// - Parameter distance: signed, growing from reading to reading.
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
