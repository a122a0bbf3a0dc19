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
