internal import CRealtime

/// Clients that get one topic at one rate at the same moments: their frames are made once.
///
/// A crowd is divided into groups that are spread over the period: otherwise the last of a thousand clients would wait for
/// the 999 before it.
package final class TelemetryGroup {
    /// Maximum clients of a group: writing to these takes about three milliseconds. Smaller groups wait less and cost more: between
    /// two groups the processor rests, and resumes with colder caches.
    static let mostClients = 250

    let topic: any TelemetryTopic
    /// Position of the topic among all topics.
    let topicIndex: Int
    /// Frames per second.
    let rate: Int
    private(set) var clients: ContiguousArray<TelemetryClient> = []
    /// Content collected since the last frame.
    var gathered: (any TelemetryContent)?
    /// Content of the last frame, for states.
    var last: (any TelemetryContent)?
    /// Number of the last line that was sent, for the log.
    var lastLine = 0
    /// Number of this group among those of its topic and rate.
    let number: Int
    /// Nanoseconds by which its frames are due before those of the first group.
    private let lead: UInt64
    private var period: UInt64

    init(_ topic: any TelemetryTopic, index: Int, rate: Int, number: Int, elapsed: UInt64) {
        self.topic = topic
        topicIndex = index
        self.rate = rate
        self.number = number
        lead = Self.lead(number, rate)
        period = Self.period(elapsed + lead, rate)
    }

    /// Spreads any number of groups about evenly over a period: the van der Corput sequence, 0, 1/2, 1/4, 3/4, 1/8 …
    private static func lead(_ number: Int, _ rate: Int) -> UInt64 {
        var (rest, share, fraction) = (number, 0.5, 0.0)
        while rest > 0 {
            if rest & 1 != 0 { fraction += share }
            share /= 2
            rest >>= 1
        }
        return UInt64(clamping: fraction * 1e9 / Double(rate))
    }

    /// Number of whole periods of a rate in a number of nanoseconds.
    private static func period(_ elapsed: UInt64, _ rate: Int) -> UInt64 {
        let (seconds, rest) = elapsed.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * UInt64(rate) + rest * UInt64(rate) / 1_000_000_000
    }

    var sequence: UInt32 { UInt32(truncatingIfNeeded: period) }

    /// Whether a frame is due; begins the next period if so.
    /// - Parameter elapsed: nanoseconds since the stream began.
    func isDue(_ elapsed: UInt64) -> Bool {
        let now = Self.period(elapsed + lead, rate)
        guard now > period else { return false }
        period = now
        return true
    }

    /// Nanoseconds from the beginning of the stream to the next frame.
    var nextDue: UInt64 {
        let (seconds, rest) = (period + 1).quotientAndRemainder(dividingBy: UInt64(rate))
        return seconds * 1_000_000_000 + (rest * 1_000_000_000 + UInt64(rate) - 1) / UInt64(rate) - lead
    }

    /// Adds content to the next frame.
    func gather(_ content: any TelemetryContent) { gathered = gathered.map { content.merged(with: $0) } ?? content }

    /// Offers a frame to every client.
    ///
    /// Between two frames, a thousand connections are evicted from the cache: while the kernel sends to one client, the
    /// next are prefetched.
    func offer(_ frame: TelemetryFrame) {
        let clients = clients
        for index in clients.indices {
            if index + 2 < clients.count {
                // SAFETY: nothing is read or written through it; a prefetch accepts any address.
                rt_prefetch(UnsafeRawPointer(Unmanaged.passUnretained(clients[index + 2]).toOpaque()), 4)
            }
            if index + 1 < clients.count { clients[index + 1].prefetch() }
            clients[index].offer(frame)
        }
    }

    func add(_ client: TelemetryClient) { clients.append(client) }
    func remove(_ client: TelemetryClient) { clients.removeAll { $0 === client } }
}
