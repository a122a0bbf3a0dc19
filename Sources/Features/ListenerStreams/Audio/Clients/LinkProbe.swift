package import Streaming
internal import Web

/// Bursts of round trips on one connection, and the results that are sent to the client.
package struct LinkProbe {
    /// Milliseconds between the beginnings of two bursts, and after the last question until late answers no longer count.
    private static let interval = 3000.0
    private static let patience = 1000.0
    /// Accepted times of a client's clock, milliseconds; with others, differences could be infinite.
    package static let times = -1e15...1e15

    package init() {}

    private var burst = RoundTripBurst()
    private var next = 0.0
    private var end: Double?
    private var reading: RoundTripBurst.Reading?
    private var offset = ClockOffset()
    /// Whether the latest results have to be sent to the client.
    var isDue = false

    /// The number of the next question; nil when none is due.
    package mutating func question(_ now: Double) -> Int? {
        if end == nil, now >= next {
            burst.begin()
            next = now + Self.interval
            end = .infinity
        }
        guard end == .infinity else { return nil }
        let number = burst.ask(at: now)
        if burst.isAsked { end = now + Self.patience }
        return number
    }

    package mutating func answer(_ id: Int, received: Double, answered: Double, now: Double) {
        guard Self.times.contains(received), Self.times.contains(answered) else { return }
        _ = burst.answer(id, received: received, answered: answered, returned: now)
    }

    /// The client's clock minus the engine's, milliseconds; nil before the first result.
    package var clockOffset: Double? { offset.value }

    /// The result of a burst that has just ended.
    package mutating func finish(_ now: Double) -> RoundTripBurst.Reading? {
        guard let end, burst.isComplete || now >= end else { return nil }
        self.end = nil
        guard let reading = burst.reading else { return nil }
        self.reading = reading
        offset.add(reading)
        isDue = true
        return reading
    }

    /// Message about the connection; nil before the first result.
    ///
    /// - Parameters:
    ///   - group: delay of the group, milliseconds; 0 for none.
    ///   - late: milliseconds by which the sound of a packet is later than its sample count says.
    func text(_ sender: StreamSender<WireFrame>, clock: StreamClock, group: Double, late: Double) -> String? {
        guard let reading else { return nil }
        // The client's clock at sample 0, so that sound recorded in it is heard then.
        let origin = clock.origin.map { "\(Self.thousandths($0 + (offset.value ?? 0) - late))" } ?? "null"
        return "{\"type\":\"link\",\"roundTrip\":\(Self.thousandths(reading.duration)),\"slope\":\(Self.thousandths(sender.slope)),"
            + "\"overflow\":\(sender.overflow),\"changes\":\(sender.changes),\"origin\":\(origin),\"group\":\(Self.thousandths(group))}"
    }

    private static func thousandths(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

/// Clock that groups of clients share: the time at which the engine's samples are sent, derived from the earliest packets of the last
/// seconds.
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
        // A sample count that jumps belongs to a restarted engine, which has another clock.
        if let before = present ?? previous, abs(origin - before) > 1000 { (present, previous) = (origin, nil) }
        present = min(present ?? origin, origin)
    }

    /// Time of sample 0, milliseconds of CLOCK_MONOTONIC; nil before the first packet.
    var origin: Double? {
        guard let present else { return previous }
        return previous.map { min($0, present) } ?? present
    }
}
