internal import CRealtime
internal import Crossing
internal import Hub
internal import Parameters

/// What one UDP address listens to, and until when.
final class OSCSubscription {
    /// Paths that one address may listen to at once.
    static let mostPaths = 32

    private struct Lease {
        let slots: [Int]
        /// What is told in ADM-OSC's words instead of as it is.
        let targets: [ADMTarget]
        /// CLOCK_MONOTONIC nanoseconds.
        var end: UInt64
    }

    let address: NetworkAddress
    let id: Int
    /// CLOCK_MONOTONIC nanoseconds.
    private let begin = rt_now()
    private var frameRate = FrameRate(now: rt_now())
    /// Datagrams.
    var sent = 0
    let subscriber: Subscriber
    private var lastCount: UInt64 = 0
    private var leases: [String: Lease] = [:]
    private let hub: Hub
    private let objects: ADMObjects
    /// What is told in ADM-OSC's words when a slot has changed.
    private var translations: [Int: [ADMTarget]] = [:]
    /// Slots that are told in no other words.
    private var onlyTranslated: Set<Int> = []

    init(_ address: NetworkAddress, id: Int, hub: Hub, objects: ADMObjects, wake: @escaping () -> Void) {
        self.objects = objects
        self.id = id
        self.address = address
        self.hub = hub
        subscriber = hub.subscribe(wake: wake)
    }

    /// Nothing tells whether datagrams arrive.
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

    /// Begins a lease or prolongs it; a new one sends the present values at once.
    /// - Returns: false when there are too many already.
    func lease(_ path: String, _ slots: [Int], _ targets: [ADMTarget], until end: UInt64) -> Bool {
        if leases[path] != nil {
            leases[path]?.end = end
            return true
        }
        guard leases.count < Self.mostPaths else { return false }
        leases[path] = Lease(slots: slots, targets: targets, end: end)
        if targets.isEmpty { _ = hub.listen(subscriber, to: path) } else { slots.forEach(subscriber.listen) }
        sort()
        return true
    }

    private func sort() {
        translations = [:]
        for target in leases.values.flatMap(\.targets) {
            for slot in objects.slots(target) { translations[slot, default: []].append(target) }
        }
        onlyTranslated = Set(translations.keys).subtracting(leases.values.filter(\.targets.isEmpty).flatMap(\.slots))
    }

    /// How a slot is told.
    /// - Parameter told: what has been told in ADM-OSC's words; it is not told again.
    func messages(_ slot: Int, told: inout Set<String>) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        if !onlyTranslated.contains(slot) {
            let node = hub.tree.nodes[slot]
            messages.append(OSCPacket.bytes(node.address, node.spec.arguments(hub.value(slot))))
        }
        for target in translations[slot] ?? [] where told.insert(target.address).inserted {
            messages.append(OSCPacket.bytes(target.address, objects.arguments(target)))
        }
        return messages
    }

    /// - Returns: false when there was no such lease.
    func end(_ path: String) -> Bool {
        guard let lease = leases.removeValue(forKey: path) else { return false }
        let kept = Set(leases.values.flatMap(\.slots))
        for slot in lease.slots where !kept.contains(slot) { subscriber.ignore(slot) }
        hub.forget(subscriber, path)
        sort()
        return true
    }

    func expire(now: UInt64) {
        for (path, lease) in leases where lease.end <= now { _ = end(path) }
    }
}
