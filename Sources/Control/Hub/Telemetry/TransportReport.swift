/// The position in a recording that is heard at a given time, as engines report it to each other.
public struct TransportReport: Sendable, Equatable {
    /// Name of the recording, relative to the folder of recordings if it is in that folder; empty for none.
    public var recording: String
    /// A state of `TransportParameter`.
    public var state: Int
    /// Seconds in the recording.
    public var position: Double
    /// Time at which the position leaves the converter, CLOCK_MONOTONIC nanoseconds; 0 when it is unknown.
    public var time: UInt64
    /// Length of the recording, seconds.
    public var duration: Double
    /// Whether the recording repeats.
    public var loops: Bool

    public init(recording: String, state: Int, position: Double, time: UInt64, duration: Double, loops: Bool) {
        (self.recording, self.state, self.position, self.time) = (recording, state, position, time)
        (self.duration, self.loops) = (duration, loops)
    }

    /// The position at another time, as if only time had passed; wrapped where the recording repeats.
    public func position(at time: UInt64) -> Double {
        let passed = Double(Int64(bitPattern: time &- self.time)) / 1e9
        return rounded(position + passed)
    }

    /// A position within the recording, wrapped where it repeats.
    public func rounded(_ position: Double) -> Double {
        guard loops, duration > 0 else { return position }
        return position - (position / duration).rounded(.down) * duration
    }

    /// A difference of positions, the shorter way around where the recording repeats.
    public func difference(_ seconds: Double) -> Double {
        guard loops, duration > 0 else { return seconds }
        return seconds - (seconds / duration).rounded() * duration
    }
}
