internal import CRealtime
internal import Hub
internal import Parameters

/// Subscriptions to values over UDP, each until its lease ends. Used on the control thread.
///
/// A subscriber that has disappeared causes traffic only until its lease ends. Sending never blocks: datagrams that the
/// socket does not accept are lost.
final class OSCSubscriptions {
    static let maximumAddresses = 64
    /// Permitted lease times in seconds.
    static let leases: ClosedRange<Int32> = 1...300
    /// Maximum bytes of values in one datagram, so that it fits into an Ethernet frame.
    private static let maximumBytes = 1432

    private let hub: Hub
    private let objects: ADMObjects
    private let send: ([UInt8], NetworkAddress) -> Void
    private let wake: () -> Void
    private let number: () -> Int
    private var subscriptions: [NetworkAddress: OSCSubscription] = [:]
    private var ready: [NetworkAddress] = []

    /// - Parameters:
    ///   - send: sends one datagram.
    ///   - wake: called when values are waiting to be sent; ``flush()`` should then be called soon.
    ///   - number: returns a unique number for a new client.
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

    /// Returns the subscriber at an address; nil when it has no subscription.
    func subscriber(_ address: NetworkAddress) -> Subscriber? {
        subscriptions.isEmpty ? nil : subscriptions[address]?.subscriber
    }

    /// `/subscribe s:path i:seconds`, answered with `/subscribed s:path i:seconds` or `/error s:text`.
    func subscribe(_ arguments: [Argument], _ address: NetworkAddress) {
        guard arguments.count == 2, case .string(let path) = arguments[0], let asked = arguments[1].number,
            asked.isFinite
        else { return refuse("/subscribe takes a path and a number of seconds", address) }
        let targets = objects.told(at: path)
        guard let indices = targets.isEmpty ? hub.indices(at: path) : targets.flatMap(objects.indices) else {
            return refuse(hub.suggest(path), address)
        }
        let seconds = min(max(Int32(clamping: asked), Self.leases.lowerBound), Self.leases.upperBound)
        let now = rt_now()
        expire(now: now)
        if subscriptions[address] == nil {
            guard subscriptions.count < Self.maximumAddresses || makeRoom(for: address) else {
                return refuse(
                    "\(Self.maximumAddresses) addresses are already subscribed, which is the maximum, and no machine has more of them than "
                        + "yours; one must unsubscribe first", address)
            }
            subscriptions[address] = OSCSubscription(address, id: number(), hub: hub, objects: objects) { [unowned self] in
                ready.append(address)
                wake()
            }
        }
        guard subscriptions[address]?.lease(path, indices, targets, until: now + UInt64(seconds) * 1_000_000_000) == true else {
            return refuse("an address can subscribe to at most \(OSCSubscription.maximumPaths) paths", address)
        }
        // The next flush sends the values, after this answer.
        send(OSCPacket.bytes("/subscribed", [.string(path), .int(seconds)]), address)
    }

    /// `/unsubscribe s:path`; without a path, ends all subscriptions of the address, unless a button was released.
    func unsubscribe(_ arguments: [Argument], _ address: NetworkAddress) {
        guard arguments.first?.isRelease != true, let subscription = subscriptions[address] else { return }
        if case .string(let path)? = arguments.first {
            if !subscription.end(path) { refuse("no subscription at \(path.prefix(256))", address) }
            if subscription.isEmpty { remove(address) }
        } else {
            remove(address)
        }
    }

    /// Returns the state of every subscriber.
    func readings(now: UInt64) -> [ClientReading] {
        expire(now: now)
        return subscriptions.values.map { $0.reading(now: now) }
    }

    /// Ends all subscriptions of one client.
    /// - Returns: false when there is no client of this number.
    func kick(_ id: Int) -> Bool {
        guard let subscription = subscriptions.values.first(where: { $0.id == id }) else { return false }
        refuse("your subscriptions were ended by the operator", subscription.address)
        remove(subscription.address)
        return true
    }

    /// Ends the subscriptions of one address of the machine that has the most: those whose leases end first.
    /// - Returns: false when the newcomer's machine has as many.
    private func makeRoom(for newcomer: NetworkAddress) -> Bool {
        guard let machine = FairShare.yielding(FairShare.machines(subscriptions.keys), to: newcomer.machine),
            let last = subscriptions.values.filter({ $0.address.machine == machine }).min(by: { $0.end < $1.end })
        else { return false }
        refuse(
            "your subscriptions were ended: \(Self.maximumAddresses) addresses are subscribed, which is the maximum, and your machine has "
                + "the most of them; subscribe from fewer addresses", last.address)
        remove(last.address)
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

    /// Sends pending values.
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

    /// Returns the next pending values as one message or as a bundle of several.
    private func packet(_ subscription: OSCSubscription) -> [UInt8]? {
        var elements: [[UInt8]] = []
        var told: Set<String> = []
        var size = 16
        subscription.subscriber.drainPending { index in
            let messages = subscription.messages(index, told: &told)
            size += messages.reduce(0) { $0 + 4 + $1.count }
            guard elements.isEmpty || size <= Self.maximumBytes else { return false }
            elements += messages
            return true
        }
        return elements.count > 1 ? OSCPacket.bundle(elements) : elements.first
    }
}
