internal import CRealtime
internal import Hub
internal import Parameters

/// The subscriptions of one UDP address and their leases.
final class OSCSubscription {
    /// Maximum number of paths that one address may subscribe to.
    static let maximumPaths = 32

    private struct Lease {
        let indices: [Int]
        /// ADM-OSC targets to send instead of the parameters themselves.
        let targets: [ADMTarget]
        /// CLOCK_MONOTONIC time in nanoseconds.
        var end: UInt64
    }

    let address: NetworkAddress
    let id: Int
    /// CLOCK_MONOTONIC time in nanoseconds.
    private let begin = rt_now()
    private var frameRate = FrameRate(now: rt_now())
    /// Number of datagrams sent.
    var sent = 0
    let subscriber: Subscriber
    private var lastCount: UInt64 = 0
    private var leases: [String: Lease] = [:]
    private let hub: Hub
    private let objects: ADMObjects
    /// ADM-OSC targets to send when a parameter changes, by its index.
    private var translations: [Int: [ADMTarget]] = [:]
    /// Indices of parameters that are sent only as ADM-OSC messages.
    private var onlyTranslated: Set<Int> = []

    init(_ address: NetworkAddress, id: Int, hub: Hub, objects: ADMObjects, wake: @escaping () -> Void) {
        self.objects = objects
        self.id = id
        self.address = address
        self.hub = hub
        subscriber = hub.subscribe(wake: wake)
    }

    /// Returns the subscriber's state. Losses are always 0, because UDP gives no feedback.
    func reading(now: UInt64) -> ClientReading {
        if now - lastCount > 900_000_000 {
            frameRate.note(sent, now: now)
            lastCount = now
        }
        return ClientReading(
            id: id, kind: "osc", address: address.host, seconds: Int((now - begin) / 1_000_000_000), sent: sent, dropped: 0,
            rate: frameRate.value)
    }

    func close() { hub.unsubscribe(subscriber) }

    var isEmpty: Bool { leases.isEmpty }

    /// When the last lease ends, CLOCK_MONOTONIC nanoseconds.
    var end: UInt64 { leases.values.map(\.end).max() ?? 0 }

    /// Begins or extends a lease. A new one sends the current values immediately.
    /// - Returns: false when there are already too many.
    func lease(_ path: String, _ indices: [Int], _ targets: [ADMTarget], until end: UInt64) -> Bool {
        if leases[path] != nil {
            leases[path]?.end = end
            // Objects may have been added.
            if leases[path]?.targets.count != targets.count {
                leases[path] = Lease(indices: indices, targets: targets, end: end)
                indices.forEach(subscriber.listen)
                sort()
            }
            return true
        }
        guard leases.count < Self.maximumPaths else { return false }
        leases[path] = Lease(indices: indices, targets: targets, end: end)
        if targets.isEmpty { _ = hub.listen(subscriber, to: path) } else { indices.forEach(subscriber.listen) }
        sort()
        return true
    }

    private func sort() {
        translations = [:]
        for target in leases.values.flatMap(\.targets) {
            for index in objects.indices(target) { translations[index, default: []].append(target) }
        }
        onlyTranslated = Set(translations.keys).subtracting(leases.values.filter(\.targets.isEmpty).flatMap(\.indices))
    }

    /// Returns the messages for a changed parameter.
    /// - Parameter told: addresses of ADM-OSC messages already included, which are not repeated.
    func messages(_ index: Int, told: inout Set<String>) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        if !onlyTranslated.contains(index) {
            let node = hub.tree.nodes[index]
            messages.append(OSCPacket.bytes(node.address, node.spec.arguments(hub.value(index))))
        }
        for target in translations[index] ?? [] where told.insert(target.address).inserted {
            messages.append(OSCPacket.bytes(target.address, objects.arguments(target)))
        }
        return messages
    }

    /// - Returns: false when there was no such lease.
    func end(_ path: String) -> Bool {
        guard let lease = leases.removeValue(forKey: path) else { return false }
        let kept = Set(leases.values.flatMap(\.indices))
        for index in lease.indices where !kept.contains(index) { subscriber.ignore(index) }
        hub.forget(subscriber, path)
        sort()
        return true
    }

    func expire(now: UInt64) {
        for (path, lease) in leases where lease.end <= now { _ = end(path) }
    }
}
