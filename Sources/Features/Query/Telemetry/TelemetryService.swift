internal import CRealtime
public import Hub
internal import Trust
package import Web

/// Makes the frames of `vestibule.telemetry.v1`: one for each topic, rate and ``TelemetryGroup``, shared by its clients.
///
/// Used on the loop only. Nothing is collected while no client has subscribed.
public final class TelemetryService {
    package static let protocolName = Route.telemetryProtocol
    /// Rates in frames per second that clients may request.
    package static let rates = 1...120
    /// Microseconds after which the renderer is asked again for content that is due.
    private static let retryInterval: UInt64 = 2000

    /// The sources that topics and metrics read from.
    public let sources: TelemetrySources
    /// Requests the renderer's report, which arrives through ``report(_:)`` before this returns.
    public var collect: () -> Void = {}
    /// Called with true when the first client of a group subscribes, so that ``tick()`` is due soon, and with false when
    /// the last client of all has gone.
    package var onDemand: (Bool) -> Void = { _ in }

    package let topics: [any TelemetryTopic]
    /// Identifies this run of the program: sequence numbers of another run are unrelated.
    package let stream = String(Secret.random().prefix(16))
    private let begin = rt_now()
    private var groups: [TelemetryGroup] = []
    /// Time when the renderer was last asked, CLOCK_MONOTONIC nanoseconds.
    private var collected: UInt64 = 0

    package init(hub: Hub, topics: [TelemetryTopics.Maker] = TelemetryTopics.all) {
        precondition(topics.count <= TelemetryTopics.most, "a client has a bit for each of \(TelemetryTopics.most) topics")
        let sources = TelemetrySources(hub: hub)
        self.sources = sources
        self.topics = topics.map { $0(sources) }
    }

    /// Sends frames on this loop whenever clients have subscribed.
    package func start(on loop: EventLoop) {
        let timer = loop.makeTimer { [unowned self] in tick() }
        onDemand = { isWanted in
            if isWanted { timer?.arm(after: Int(Self.retryInterval)) } else { timer?.disarm() }
        }
    }

    /// Adds a line to the log.
    public func note(_ text: String) { sources.log.add(text) }

    // MARK: Subscriptions

    /// - Parameter index: of the topic.
    package func subscribe(_ client: TelemetryClient, _ index: Int, rate: Int) {
        let now = rt_now()
        unsubscribe(client, [index])
        let topic = topics[index]
        let alike = groups.filter { $0.topicIndex == index && $0.rate == rate }
        let known = alike.first { $0.clients.count < TelemetryGroup.mostClients }
        let free = (0...alike.count).first { number in !alike.contains { $0.number == number } }
        let group = known ?? makeGroup(index, rate, number: free ?? alike.count, now)
        group.add(client)
        if known == nil { onDemand(true) }
        guard let content = topic.snapshot(for: group) else { return }
        client.offer(
            TelemetryFrame(topic, index: index, sequence: group.sequence, time: now, content, isSnapshot: true))
    }

    private func makeGroup(_ index: Int, _ rate: Int, number: Int, _ now: UInt64) -> TelemetryGroup {
        let group = TelemetryGroup(topics[index], index: index, rate: rate, number: number, elapsed: now - begin)
        group.topic.begin(group)
        groups.append(group)
        return group
    }

    /// - Parameter indices: of topics.
    package func unsubscribe(_ client: TelemetryClient, _ indices: some Collection<Int>) {
        guard !groups.isEmpty else { return }
        for group in groups where indices.contains(group.topicIndex) { group.remove(client) }
        groups.removeAll { $0.clients.isEmpty }
        guard groups.isEmpty else { return }
        for topic in topics { topic.end() }
        onDemand(false)
    }

    // MARK: Collecting

    /// Takes in a report of the renderer.
    public func report(_ report: TelemetryDelta) {
        sources.poses.keep(report.listeners)
        guard !groups.isEmpty else { return }
        for (index, topic) in topics.enumerated() {
            guard let content = topic.collect(report) else { continue }
            for group in groups where group.topicIndex == index { group.gather(content) }
        }
    }

    // MARK: Sending

    /// Sends the frames that are due, the oldest first.
    ///
    /// Once a crowd has been written to, the rest waits for the next call, so that the loop can serve everybody else first
    /// and the content is as new as possible when it is sent.
    /// - Returns: microseconds until the next frame is due.
    package func tick() -> Int {
        let now = rt_now()
        if now - collected >= Self.retryInterval * 1000 {
            collected = now
            collect()
        }
        var written = 0
        for group in groups.sorted(by: { $0.nextDue < $1.nextDue }) where group.nextDue <= now - begin {
            guard written < TelemetryGroup.mostClients else { return 1 }
            // A group without events stays due until it has one, so that the renderer's own rhythm costs no period.
            guard group.topic.isState || group.gathered != nil, group.isDue(now - begin) else { continue }
            let content = group.topic.next(for: group, now: now)
            group.gathered = nil
            guard let content else { continue }
            group.offer(
                TelemetryFrame(group.topic, index: group.topicIndex, sequence: group.sequence, time: now, content))
            written += group.clients.count
        }
        return wait(now - begin)
    }

    /// Groups that are due and have nothing to send are tried again soon.
    private func wait(_ elapsed: UInt64) -> Int {
        let next = groups.lazy.map(\.nextDue).min() ?? 0
        return next > elapsed ? Int(clamping: (next - elapsed) / 1000 + 1) : Int(Self.retryInterval)
    }
}
