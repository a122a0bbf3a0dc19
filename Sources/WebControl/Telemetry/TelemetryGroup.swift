internal import CRealtime

/// Clients that get one topic at one rate at the same moments: their frames are made once.
///
/// A crowd is spread over the period in groups: the last of a thousand would otherwise wait for the 999 before it.
final class TelemetryGroup {
    /// So many clients are written to within about three milliseconds. Fewer wait less for each other, and cost more: between
    /// two groups the processor rests, and comes back with colder caches.
    static let mostClients = 250
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
    /// Which of the groups of this topic and rate: no other has this number.
    let number: Int
    /// How much earlier than the first group's its frames are due, in nanoseconds.
    private let lead: UInt64
    private var index: UInt64

    init(_ topic: TelemetryTopic, rate: Int, number: Int, elapsed: UInt64) {
        self.topic = topic
        self.rate = rate
        self.number = number
        lead = Self.lead(number, rate)
        index = Self.index(elapsed + lead, rate)
    }

    /// However many groups there are, they are about equally far from each other: the van der Corput sequence,
    /// 0, 1/2, 1/4, 3/4, 1/8 … of a period.
    private static func lead(_ number: Int, _ rate: Int) -> UInt64 {
        var (rest, share, fraction) = (number, 0.5, 0.0)
        while rest > 0 {
            if rest & 1 != 0 { fraction += share }
            share /= 2
            rest >>= 1
        }
        return UInt64(fraction * 1e9 / Double(rate))
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
        let now = Self.index(elapsed + lead, rate)
        guard now > index else { return false }
        index = now
        return true
    }

    /// Nanoseconds from the beginning of the stream to the next frame.
    var nextDue: UInt64 {
        let (seconds, rest) = (index + 1).quotientAndRemainder(dividingBy: UInt64(rate))
        return seconds * 1_000_000_000 + (rest * 1_000_000_000 + UInt64(rate) - 1) / UInt64(rate) - lead
    }

    /// Offers a frame to every client.
    ///
    /// Between two frames a thousand connections fall out of the cache: while the kernel sends to one, the next are fetched.
    func offer(_ frame: TelemetryFrame) {
        let clients = clients
        for index in clients.indices {
            if index + 2 < clients.count {
                // SAFETY: nobody reads or writes through it; fetching ahead takes any address.
                rt_prefetch(UnsafeRawPointer(Unmanaged.passUnretained(clients[index + 2]).toOpaque()), 4)
            }
            if index + 1 < clients.count { clients[index + 1].prefetch() }
            clients[index].offer(frame)
        }
    }

    func add(_ client: TelemetryClient) { clients.append(client) }
    func remove(_ client: TelemetryClient) { clients.removeAll { $0 === client } }
}
