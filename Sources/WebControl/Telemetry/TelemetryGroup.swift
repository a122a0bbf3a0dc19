/// Everybody who gets one topic at one rate: their frames are made once.
final class TelemetryGroup {
    let topic: TelemetryTopic
    /// Frames a second.
    let rate: Int
    private(set) var clients: ContiguousArray<TelemetryClient> = []
    /// What was gathered since the last frame.
    var gathered: TelemetryContent?
    /// What the last frame said, for topics that are sent when they have changed.
    var last: TelemetryContent?
    /// The number of the last line that was sent.
    var lastLine = 0
    private var index: UInt64

    init(_ topic: TelemetryTopic, rate: Int, elapsed: UInt64) {
        self.topic = topic
        self.rate = rate
        index = Self.index(elapsed, rate)
    }

    /// Periods of a rate in so many nanoseconds.
    private static func index(_ elapsed: UInt64, _ rate: Int) -> UInt64 {
        let (seconds, rest) = elapsed.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * UInt64(rate) + rest * UInt64(rate) / 1_000_000_000
    }

    var sequence: UInt32 { UInt32(truncatingIfNeeded: index) }

    /// Whether a frame is due.
    /// - Parameter elapsed: nanoseconds since the stream began.
    func isDue(_ elapsed: UInt64) -> Bool {
        let now = Self.index(elapsed, rate)
        guard now > index else { return false }
        index = now
        return true
    }

    /// Nanoseconds from the beginning of the stream to the next frame.
    var nextDue: UInt64 {
        let (seconds, rest) = (index + 1).quotientAndRemainder(dividingBy: UInt64(rate))
        return seconds * 1_000_000_000 + (rest * 1_000_000_000 + UInt64(rate) - 1) / UInt64(rate)
    }

    func add(_ client: TelemetryClient) { clients.append(client) }
    func remove(_ client: TelemetryClient) { clients.removeAll { $0 === client } }
}
