internal import Hub
internal import Parameters

/// Decides when the broker gets the value of each parameter.
///
/// A parameter has one place in the line, however often it changes: the broker gets the last value. The first ten changes go out at
/// once, those of a parameter that keeps moving five times a second, and measurements once a second.
final class MQTTStates {
    /// A parameter's last publication.
    private struct Entry {
        /// Topic of the retained value; empty for none.
        var address = ""
        var revision: UInt64 = 0
        /// Earliest time of the next publication, CLOCK_MONOTONIC nanoseconds.
        var due: UInt64 = 0
        /// Publications that may follow each other quickly.
        var credit = MQTTStates.mostCredit
        /// The sender of the command that has set `originValue`.
        var origin: String?
        var originValue = ParameterValue.impulse
    }

    /// Maximum number of messages in one call of ``publish(now:_:)``, which is called a hundred times a second.
    private static let mostPerTurn = 100
    /// Maximum number of retained states that are remembered for removal.
    private static let mostObsolete = 16_384
    /// Nanoseconds between publications of a parameter as long as it has credit, and afterwards.
    private static let shortInterval: UInt64 = 20_000_000
    private static let interval: UInt64 = 200_000_000
    private static let mostCredit = 10.0
    private static let measurementInterval: UInt64 = 1_000_000_000
    /// Beginnings of the addresses that are left out: levels and latencies are telemetry, and publishing the state of the connection would
    /// change it.
    private static let unpublished = ["/meter/", "/latency/", "/mqtt/", "/follow/difference", "/follow/round-trip"]

    private let hub: Hub
    private let topics: MQTTTopics
    private var subscriber: Subscriber?
    /// Parameters that have been published or set by a client, by their index.
    private var entries: [Int: Entry] = [:]
    /// Indices in the order of their changes.
    private var line: [Int] = []
    /// Whether an index is in the line.
    private var isInLine: [Bool] = []
    /// Addresses whose retained values have to be removed.
    private var obsolete: ArraySlice<String> = []
    private var shape = 0
    private var revision: UInt64

    /// - Parameter revision: beginning of the revisions, larger than any that the engine has used before.
    init(_ hub: Hub, _ topics: MQTTTopics, revision: UInt64) { (self.hub, self.topics, self.revision) = (hub, topics, revision) }

    /// Starts over with a broker that may have no states.
    func begin() {
        end()
        let subscriber = hub.subscribe {}
        _ = hub.listen(subscriber, to: "/")
        self.subscriber = subscriber
        shape = hub.shape
    }

    func end() {
        if let subscriber { hub.unsubscribe(subscriber) }
        (subscriber, entries, line, isInLine, obsolete) = (nil, [:], [], [], [])
    }

    static func isPublished(_ address: String) -> Bool { !address.isEmpty && !unpublished.contains { address.hasPrefix($0) } }

    /// Hands over values that are due.
    /// - Parameter offer: returns false when the connection accepts no more for now.
    func publish(now: UInt64, _ offer: (MQTTPublication) -> Bool) {
        guard let subscriber else { return }
        enqueue(subscriber.takePending())
        guard removeVanished(offer), removeObsolete(offer) else { return }
        var (rest, room): ([Int], Int) = ([], Self.mostPerTurn)
        for (place, index) in line.enumerated() {
            guard room > 0 else {
                rest += line[place...]
                break
            }
            if entries[index]?.due ?? 0 > now || !publish(index, now: now, offer) { rest.append(index) } else { room -= 1 }
        }
        line = rest
    }

    private func enqueue(_ indices: [Int]) {
        let missing = hub.tree.nodes.count - isInLine.count
        if missing > 0 { isInLine += repeatElement(false, count: missing) }
        for index in indices where !isInLine[index] {
            isInLine[index] = true
            line.append(index)
        }
    }

    private func publish(_ index: Int, now: UInt64, _ offer: (MQTTPublication) -> Bool) -> Bool {
        let node = hub.tree.nodes[index]
        guard Self.isPublished(node.address) else {
            isInLine[index] = false
            return true
        }
        let (spec, value, last) = (node.spec, hub.value(index), entries[index] ?? Entry())
        revision += 1
        var properties = [MQTTPublication.Property("revision", String(revision))]
        // A value that others have set since is not the sender's own.
        if let origin = last.origin, last.originValue == value { properties.append(.init("origin", origin)) }
        let publication = MQTTPublication(
            topic: topics.state(node.address), payload: MQTTValue.json(spec, value), isRetained: true, properties: properties)
        guard offer(publication) else { return false }
        let (credit, pause) = Self.pause(after: last, spec, now: now)
        isInLine[index] = false
        entries[index] = Entry(address: node.address, revision: revision, due: now + pause, credit: credit)
        return true
    }

    /// The credit that is left and the nanoseconds until the next publication.
    private static func pause(after last: Entry, _ spec: ParameterSpec, now: UInt64) -> (credit: Double, UInt64) {
        if isMeasurement(spec) { return (mostCredit, measurementInterval) }
        // `due` is at most one interval ahead of the last publication; credit that this leaves out is of no importance.
        let idle = now > last.due ? Double(now - last.due) / Double(interval) : 0
        let credit = min(mostCredit, last.credit + (last.due == 0 ? 0 : idle))
        return credit >= 1 ? (credit - 1, shortInterval) : (credit, interval)
    }

    private static func isMeasurement(_ spec: ParameterSpec) -> Bool {
        guard spec.access == .read else { return false }
        return switch spec.kind {
        case .number, .vector, .list: true
        default: false
        }
    }

    /// Removes the retained values of parameters that are gone or have another address, and publishes those that have moved.
    /// - Returns: false when the connection accepts no more for now.
    private func removeVanished(_ offer: (MQTTPublication) -> Bool) -> Bool {
        guard hub.shape != shape else { return true }
        for (index, entry) in entries where !entry.address.isEmpty && entry.address != hub.tree.nodes[index].address {
            guard isCurrent(entry.address) || offer(removal(topics.state(entry.address))) else { return false }
            entries[index] = nil
            if !hub.tree.nodes[index].address.isEmpty { enqueue([index]) }
        }
        shape = hub.shape
        return true
    }

    /// Whether there is a parameter at an address whose value is retained.
    private func isCurrent(_ address: String) -> Bool {
        Self.isPublished(address) && hub.tree.index(at: address).map { hub.tree.nodes[$0].spec.access != .write } == true
    }

    private func removal(_ topic: String) -> MQTTPublication { MQTTPublication(topic: topic, payload: [], isRetained: true) }

    /// Notes topics with retained values, such as those of an earlier run: those of parameters that this engine does not have are removed.
    func note(found topics: [String]) {
        guard subscriber != nil else { return }
        obsolete += topics.compactMap(self.topics.address(ofState:)).prefix(Self.mostObsolete - obsolete.count)
    }

    /// - Returns: false when the connection accepts no more for now.
    private func removeObsolete(_ offer: (MQTTPublication) -> Bool) -> Bool {
        for _ in 0..<Self.mostPerTurn {
            guard let address = obsolete.first else { return true }
            guard isCurrent(address) || offer(removal(topics.state(address))) else { return false }
            obsolete.removeFirst()
        }
        return true
    }

    // MARK: Commands

    /// The revision that the broker has of a parameter; nil for none.
    func revision(of index: Int) -> UInt64? {
        guard let entry = entries[index], !entry.address.isEmpty else { return nil }
        return entry.revision
    }

    /// The newest revision of the states in the container of an action, measurements apart; nil when there is none.
    func revision(beside index: Int) -> UInt64? {
        let address = hub.tree.nodes[index].address
        guard let slash = address.lastIndex(of: "/") else { return nil }
        let container = address[...slash]
        return entries.lazy.filter { [hub] place, entry in
            entry.address.hasPrefix(container) && !Self.isMeasurement(hub.tree.nodes[place].spec)
        }.map(\.value.revision).max()
    }

    /// Notes the client that has just set a parameter.
    func note(_ index: Int, origin: String?) {
        guard subscriber != nil else { return }
        (entries[index, default: Entry()].origin, entries[index, default: Entry()].originValue) = (origin, hub.value(index))
    }
}
