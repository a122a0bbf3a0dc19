/// Measures the path of a sender's pictures to the relay by their times of capture; its clock may differ by any constant. Too narrow a
/// network on this path delays all receivers, whatever their own networks carry.
struct UplinkGauge: Sendable {
    /// Milliseconds beyond which the clock has jumped, as after a sleep.
    private static let jump = 10_000.0

    private var trips = Self.empty
    private var latest: UInt64?
    /// Strategy that the uplink needs.
    private(set) var steps: StepChooser

    // Encoders of busy computers are late at times: more is tolerated than between the relay and a receiver.
    private static var empty: TripGauge { TripGauge(strained: 100, late: 250) }

    /// - Parameter steps: number of strategies.
    init(steps: Int) { self.steps = StepChooser(count: steps, pace: .picture) }

    /// Notes a picture.
    ///
    /// - Parameters:
    ///   - captured: microseconds of the sender's clock.
    ///   - now: milliseconds.
    /// - Returns: whether another strategy is needed.
    mutating func note(captured: UInt64, now: Double) -> Bool {
        defer { latest = captured }
        // Programs may send no times.
        guard let latest, captured > latest else { return false }
        let trip = now - Double(captured) / 1000
        if let floor = trips.floor, abs(trip - floor) > Self.jump { trips = Self.empty }
        trips.add(trip, now: now)
        return steps.note(trips.state, now: now)
    }
}
