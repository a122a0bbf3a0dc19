internal import CRealtime
public import Hub
internal import Parameters

/// Control-thread side of the OSC port: passes messages from the pose thread to the hub, answers queries,
/// and pushes values to subscribers.
public final class OSCDispatcher {
    private let hub: Hub
    private let counters: OSCCounters
    private let admission: OSCAdmission
    private var queue: DatagramRing.Consumer
    private let send: ([UInt8], NetworkAddress) -> Void
    private let subscriptions: OSCSubscriptions
    private let objects: ADMObjects
    private let clocks: SenderClocks
    private var conversations: [NetworkAddress: ClockConversation] = [:]
    private static let maximumConversations = 64
    /// Cache of parameter indices and conversions by address, valid for the namespace of this shape.
    private var indices = AddressBook()
    private var shape = 0
    /// Time of the last call of ``drain()``, CLOCK_MONOTONIC nanoseconds.
    private var start: UInt64 = 0
    private let filter: AddressFilter?
    /// Shape of the namespace whose addresses have been published, and when, CLOCK_MONOTONIC nanoseconds.
    private var published: (shape: Int, time: UInt64)?
    private var droppedBefore = 0
    private var refusedBefore = 0
    private var unknownBefore = 0
    /// Time of the last report of losses, CLOCK_MONOTONIC nanoseconds.
    private var reported: UInt64 = 0

    /// Maximum duration of ``drain()`` in nanoseconds.
    private static let timeSlice: UInt64 = 2_000_000
    /// Minimum interval between reports of losses in nanoseconds.
    private static let reportInterval: UInt64 = 1_000_000_000
    /// Minimum interval between two publications of all addresses in nanoseconds. Until then the filter passes messages to new ones as
    /// to unknown ones.
    private static let publicationInterval: UInt64 = 100_000_000
    /// Maximum number of values in the answer to one query.
    private static let maximumAnswers = 64

    /// - Parameters:
    ///   - admission: that of the receiver; refused addresses are reported.
    ///   - clocks: receives the measured clocks of senders.
    ///   - filter: receives the addresses that are handled here.
    ///   - wake: called on the control thread when values are waiting to be pushed; ``drain()`` should then be called soon.
    ///   - number: returns a unique number for a new subscriber.
    ///   - send: sends one datagram.
    public init(
        queue: consuming DatagramRing.Consumer, hub: Hub, counters: OSCCounters, admission: OSCAdmission = .init(),
        clocks: SenderClocks = .init(), filter: AddressFilter? = nil, wake: @escaping () -> Void = {}, number: @escaping () -> Int = { 0 },
        send: @escaping ([UInt8], NetworkAddress) -> Void = { _, _ in }
    ) {
        self.queue = queue
        self.hub = hub
        self.counters = counters
        self.admission = admission
        self.send = send
        self.clocks = clocks
        self.filter = filter
        objects = ADMObjects(hub)
        subscriptions = OSCSubscriptions(hub: hub, objects: objects, send: send, wake: wake, number: number)
    }

    /// The clients that subscribe over UDP.
    public var clients: [ClientReading] { subscriptions.readings(now: rt_now()) }

    /// Ends all subscriptions of a client. Returns false when there is no client of this number.
    public func kick(_ id: Int) -> Bool { subscriptions.kick(id) }

    /// Handles received messages for at most about 2 ms, and sends pending values.
    /// - Returns: true when messages are left; the caller should call again soon.
    public func drain() -> Bool {
        start = rt_now()
        tick(now: start)
        defer { subscriptions.flush() }
        while true {
            let found = queue.pop { bytes, time, sender in handle(bytes, time, sender) }
            guard found else { return false }
            if rt_now() - start > Self.timeSlice { return true }
        }
    }

    /// Publishes the addresses of a changed namespace and reports losses; called by ``drain()`` and at least once a second.
    public func tick(now: UInt64) {
        publishAddresses(now)
        reportLosses(now)
    }

    private func publishAddresses(_ now: UInt64) {
        guard let filter, published?.shape != hub.shape else { return }
        if let published, now < published.time + Self.publicationInterval { return }
        published = (hub.shape, now)
        filter.publish(AddressSet(hub.tree.addresses, and: Self.ownAddresses + objects.known.keys))
    }

    private func handle(_ bytes: UnsafeRawBufferPointer, _ time: UInt64, _ sender: NetworkAddress) {
        if time > start, time > rt_now() { return announce(bytes, time) }
        if set(bytes, time, sender) { return }
        handleWhole(bytes, time, sender)
    }

    private func handleWhole(_ bytes: UnsafeRawBufferPointer, _ time: UInt64, _ sender: NetworkAddress) {
        do {
            for (_, var message) in try OSCPacket.parse(bytes, receiveTime: time) where !answer(message, sender) {
                message.sender = sender
                let subscriber = subscriptions.subscriber(sender)
                if !objects.handle(message, from: subscriber) { hub.handle(message, from: subscriber) }
                keep(message.address, bytes)
            }
        } catch {
            hub.countMalformed("OSC port: \(error)", from: sender)
        }
    }

    /// Fast path for the most common kind of message: one number for a parameter that was set before.
    /// - Returns: false, without effect, for every other message.
    private func set(_ bytes: UnsafeRawBufferPointer, _ time: UInt64, _ sender: NetworkAddress) -> Bool {
        guard shape == hub.shape, let (end, number) = OSCPacket.soleNumber(bytes),
            let known = indices.number(of: UnsafeRawBufferPointer(rebasing: bytes[..<end])),
            let number = objects.scaled(number, ADMScale(rawValue: known & 3)!)
        else { return false }
        return hub.set(known >> 2, to: number, time: time, from: subscriptions.subscriber(sender), sender: sender)
    }

    /// Caches the parameter index of an address that the fast path can handle.
    private func keep(_ address: String, _ bytes: UnsafeRawBufferPointer) {
        guard let (end, _) = OSCPacket.soleNumber(bytes),
            let (index, scale) = hub.tree.index(at: address).map({ ($0, ADMScale.asItIs) }) ?? objects.single(address)
        else { return }
        if shape != hub.shape {
            shape = hub.shape
            indices.removeAll()
        }
        indices.insert(UnsafeRawBufferPointer(rebasing: bytes[..<end]), index << 2 | scale.rawValue)
    }

    /// Announces a scheduled message. It arrives again when it is due; errors are reported then.
    private func announce(_ bytes: UnsafeRawBufferPointer, _ due: UInt64) {
        guard let messages = try? OSCPacket.parse(bytes, receiveTime: due) else { return }
        for (_, message) in messages where !objects.prepare(message, due: due) { hub.prepare(message, due: due) }
    }

    /// Addresses of messages that are neither parameters nor sound objects.
    private static let ownAddresses = [
        "/sync", "/clock", "/clock/answer", "/subscribe", "/unsubscribe", "/adm/lis/ypr", "/adm/lis/yaw", "/adm/lis/pitch", "/adm/lis/roll",
    ]

    /// Answers commands of the port itself and queries for values.
    /// - Returns: false for every other message.
    private func answer(_ message: Message, _ sender: NetworkAddress) -> Bool {
        switch message.address {
        case "/sync":
            // Messages are handled in order, so all earlier ones have been handled.
            let answer = OSCPacket.bytes("/synced", Array(message.arguments.prefix(1)))
            hub.afterEarlierMessages(from: subscriptions.subscriber(sender), sender) { [send] in send(answer, sender) }
        case "/clock", "/clock/answer": converse(message, sender)
        case "/subscribe": subscriptions.subscribe(message.arguments, sender)
        case "/unsubscribe": subscriptions.unsubscribe(message.arguments, sender)
        default:
            guard message.arguments.isEmpty else { return false }
            if let numbers = pose(message.address) {
                send(OSCPacket.bytes(message.address, numbers.map { .float($0) }), sender)
                return true
            }
            let answers = objects.answers(message.address)
            for answer in answers.prefix(Self.maximumAnswers) { send(OSCPacket.bytes(answer.address, answer.arguments), sender) }
            guard answers.isEmpty else { return true }
            let indices = hub.readable(message.address)
            for index in indices.prefix(Self.maximumAnswers) {
                let node = hub.tree.nodes[index]
                send(OSCPacket.bytes(node.address, node.spec.arguments(hub.value(index))), sender)
            }
            return !indices.isEmpty
        }
        return true
    }

    /// Returns a value of ADM-OSC's listener, which is listener 1, with the same signs: yaw left, pitch up, roll right, in degrees.
    private func pose(_ address: String) -> [Float]? {
        guard address.hasPrefix("/adm/lis/"), let index = hub.tree.index(at: ListenerParameter.ypr.address()) else { return nil }
        let angles = hub.value(index).numbers
        switch address.dropFirst("/adm/lis/".count) {
        case "ypr": return angles
        case "yaw": return [angles[0]]
        case "pitch": return [angles[1]]
        case "roll": return [angles[2]]
        default: return nil
        }
    }

    private func converse(_ message: Message, _ sender: NetworkAddress) {
        if conversations.count >= Self.maximumConversations, conversations[sender] == nil { removeConversation(for: sender) }
        var conversation = conversations[sender] ?? ClockConversation()
        _ = conversation.take(message.address, message.arguments, arrived: message.receiveTime) { send($0, sender) }
        conversations[sender] = conversation
        if let clock = conversation.exchange.clock { clocks.set(clock, of: sender) }
    }

    /// Makes room for a newcomer: ends the clock conversation of one address, of the machine that has the most or else of its own.
    private func removeConversation(for newcomer: NetworkAddress) {
        let machine = FairShare.yielding(FairShare.machines(conversations.keys), to: newcomer.machine) ?? newcomer.machine
        let place = conversations.keys.first { $0.machine == machine } ?? conversations.keys.first
        if let place { conversations[place] = nil }
    }

    private func reportLosses(_ now: UInt64) {
        for stranger in admission.takeStrangers() {
            hub.notice(
                "OSC from \(stranger.host) was refused: it is neither this machine nor an allowed address; "
                    + "to allow it, start with --allow-osc \(stranger.host)")
        }
        let (dropped, refused, unknown) = (counters.dropped, counters.refused, counters.unknown)
        if unknown != unknownBefore {
            hub.countUnknown(more: unknown - unknownBefore)
            unknownBefore = unknown
        }
        guard dropped != droppedBefore || refused != refusedBefore, now - reported > Self.reportInterval else { return }
        if dropped != droppedBefore {
            hub.notice("OSC port: \(counted(dropped - droppedBefore, "message")) dropped because more arrived than could be handled")
        }
        for refusal in counters.timedRefusals.take() { hub.notice(refusal.words, from: refusal.sender) }
        (droppedBefore, refusedBefore, reported) = (dropped, refused, now)
    }
}
