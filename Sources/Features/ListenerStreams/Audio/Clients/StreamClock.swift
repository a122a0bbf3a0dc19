/// Time at which the engine's samples are sent, derived from the earliest of the last seconds: the clock that groups of clients share.
struct StreamClock {
    /// Milliseconds after which an early packet no longer counts, since the sound device's clock drifts from the machine's.
    private static let memory = 10_000.0

    /// Earliest time minus sample time in the current and in the previous part of the memory, milliseconds.
    private var present: Double?
    private var previous: Double?
    private var begun = 0.0

    /// Notes a packet.
    ///
    /// - Parameters:
    ///   - end: the engine's sample count after its last frame.
    ///   - now: milliseconds, CLOCK_MONOTONIC.
    mutating func note(end: Int64, rate: Int, now: Double) {
        if now - begun > Self.memory {
            previous = present
            present = nil
            begun = now
        }
        let origin = now - Double(end) * 1000 / Double(rate)
        // A count that restarts is another engine's clock.
        if let before = present ?? previous, abs(origin - before) > 1000 { (present, previous) = (origin, nil) }
        present = min(present ?? origin, origin)
    }

    /// Time of sample 0, milliseconds of CLOCK_MONOTONIC; nil before the first packet.
    var origin: Double? {
        guard let present else { return previous }
        return previous.map { min($0, present) } ?? present
    }
}
