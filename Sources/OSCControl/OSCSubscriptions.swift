internal import CRealtime
internal import Crossing
internal import Hub
internal import Parameters

/// Values pushed over UDP: who listens to what, each until its lease ends. Lives on the control thread.
///
/// A receiver that has gone away costs what its lease still lasts, and nothing waits for anybody: what the socket
/// does not take is lost, as datagrams are.
final class OSCSubscriptions {
    static let mostAddresses = 64
    /// Seconds that may be asked for.
    static let leases: ClosedRange<Int32> = 1...300
    /// Bytes of values in one datagram: what an Ethernet frame holds.
    private static let mostBytes = 1432

    private let hub: Hub
    private let objects: ADMObjects
    private let send: ([UInt8], NetworkAddress) -> Void
    private let wake: () -> Void
    private let number: () -> Int
    private var subscriptions: [NetworkAddress: OSCSubscription] = [:]
    private var ready: [NetworkAddress] = []

    /// - Parameters:
    ///   - send: sends one datagram.
    ///   - wake: called when values begin to wait; ``flush()`` is then called soon.
    ///   - number: gives a client a number of its own.
    init(
        hub: Hub, objects: ADMObjects, send: @escaping ([UInt8], NetworkAddress) -> Void, wake: @escaping () -> Void,
        number: @escaping () -> Int
    ) {
        self.number = number
        self.objects = objects
        self.hub = hub
        self.send = send
        self.wake = wake
    }

    /// Whom a message of this address is from; nil when it listens to nothing.
    func subscriber(_ address: NetworkAddress) -> Subscriber? {
        subscriptions.isEmpty ? nil : subscriptions[address]?.subscriber
    }

    /// `/subscribe s:path i:seconds`, answered with `/subscribed s:path i:seconds` or `/error s:text`.
    func subscribe(_ arguments: [Argument], _ address: NetworkAddress) {
        guard arguments.count == 2, case .string(let path) = arguments[0], let asked = arguments[1].number,
            asked.isFinite
        else { return refuse("/subscribe takes a path and seconds", address) }
        let targets = objects.told(at: path)
        guard let slots = targets.isEmpty ? hub.slots(at: path) : targets.flatMap(objects.slots) else {
            return refuse(hub.suggest(path), address)
        }
        let seconds = min(max(Int32(clamping: Int(max(-1e6, min(1e6, asked)))), Self.leases.lowerBound), Self.leases.upperBound)
        let now = rt_now()
        expire(now: now)
        if subscriptions[address] == nil {
            guard subscriptions.count < Self.mostAddresses else {
                return refuse("\(Self.mostAddresses) addresses listen already; one of them has to end its lease", address)
            }
            subscriptions[address] = OSCSubscription(address, id: number(), hub: hub, objects: objects) { [unowned self] in
                ready.append(address)
                wake()
            }
        }
        guard subscriptions[address]?.lease(path, slots, targets, until: now + UInt64(seconds) * 1_000_000_000) == true else {
            return refuse("an address may listen to \(OSCSubscription.mostPaths) paths at once", address)
        }
        // The values follow with the next flush, after this answer.
        send(OSCPacket.bytes("/subscribed", [.string(path), .int(seconds)]), address)
    }

    /// `/unsubscribe s:path`, or without a path for all of them.
    func unsubscribe(_ arguments: [Argument], _ address: NetworkAddress) {
        guard let subscription = subscriptions[address] else { return }
        if case .string(let path)? = arguments.first {
            if !subscription.end(path) { refuse("nothing at \(path.prefix(256)) is listened to", address) }
            if subscription.isEmpty { remove(address) }
        } else {
            remove(address)
        }
    }

    /// Who has a lease.
    func readings(now: UInt64) -> [ClientReading] {
        expire(now: now)
        return subscriptions.values.map { $0.reading(now: now) }
    }

    /// Ends all leases of one client.
    /// - Returns: false when there is none of this number.
    func kick(_ id: Int) -> Bool {
        guard let subscription = subscriptions.values.first(where: { $0.id == id }) else { return false }
        refuse("your leases were ended by hand", subscription.address)
        remove(subscription.address)
        return true
    }

    private func refuse(_ text: String, _ address: NetworkAddress) {
        send(OSCPacket.bytes("/error", [.string(text)]), address)
    }

    private func remove(_ address: NetworkAddress) { subscriptions.removeValue(forKey: address)?.close() }

    private func expire(now: UInt64) {
        for (address, subscription) in subscriptions {
            subscription.expire(now: now)
            if subscription.isEmpty { remove(address) }
        }
    }

    /// Sends what waits.
    func flush() {
        guard !ready.isEmpty else { return }
        expire(now: rt_now())
        let addresses = ready
        ready = []
        for address in addresses {
            guard let subscription = subscriptions[address] else { continue }
            while let packet = packet(subscription) {
                send(packet, address)
                subscription.sent += 1
            }
        }
    }

    /// The next values as one message, or as a bundle of several.
    private func packet(_ subscription: OSCSubscription) -> [UInt8]? {
        var elements: [[UInt8]] = []
        var told: Set<String> = []
        var size = 16
        subscription.subscriber.drainPending { slot in
            let messages = subscription.messages(slot, told: &told)
            size += messages.reduce(0) { $0 + 4 + $1.count }
            guard elements.isEmpty || size <= Self.mostBytes else { return false }
            elements += messages
            return true
        }
        return elements.count > 1 ? OSCPacket.bundle(elements) : elements.first
    }
}
