internal import CRealtime
public import Crossing
public import Hub
internal import Parameters

/// The control thread's end of the OSC port: hands what the pose thread passed on to the hub, answers questions,
/// and pushes values to those who listen.
public final class OSCDispatcher {
    private let hub: Hub
    private let counters: OSCCounters
    private let admission: OSCAdmission
    private var queue: RecordRing.Consumer
    private let send: ([UInt8], NetworkAddress) -> Void
    private let subscriptions: OSCSubscriptions
    private let objects: ADMObjects
    private let clocks: SenderClocks
    private var conversations: [NetworkAddress: ClockConversation] = [:]
    private static let mostConversations = 64
    /// Slots, and how they are set, by the bytes of their addresses, of the namespace that had this shape.
    private var slots = AddressBook()
    private var shape = 0
    /// When ``drain()`` was called last, CLOCK_MONOTONIC nanoseconds.
    private var start: UInt64 = 0
    private var droppedBefore = 0
    private var refusedBefore = 0
    /// When losses were last reported, CLOCK_MONOTONIC nanoseconds.
    private var reported: UInt64 = 0

    /// Nanoseconds after which ``drain()`` lets others have the thread.
    private static let patience: UInt64 = 2_000_000
    /// Nanoseconds between two reports of losses.
    private static let reportInterval: UInt64 = 1_000_000_000
    /// Values that one question is answered with.
    private static let mostAnswers = 64

    /// - Parameters:
    ///   - admission: what the receiver was given; its strangers are said in the log.
    ///   - clocks: gets what is found out about senders' clocks.
    ///   - wake: called on the control thread when values wait to be pushed: ``drain()`` is then due soon.
    ///   - number: gives a client that listens a number of its own.
    ///   - send: sends one datagram back.
    public init(
        queue: consuming RecordRing.Consumer, hub: Hub, counters: OSCCounters, admission: OSCAdmission = .init(),
        clocks: SenderClocks = .init(), wake: @escaping () -> Void = {}, number: @escaping () -> Int = { 0 },
        send: @escaping ([UInt8], NetworkAddress) -> Void = { _, _ in }
    ) {
        self.queue = queue
        self.hub = hub
        self.counters = counters
        self.admission = admission
        self.send = send
        self.clocks = clocks
        objects = ADMObjects(hub)
        subscriptions = OSCSubscriptions(hub: hub, objects: objects, send: send, wake: wake, number: number)
    }

    /// Who listens over UDP.
    public var clients: [ClientReading] { subscriptions.readings(now: rt_now()) }

    /// Ends the leases of the client of this number; false when there is none.
    public func kick(_ id: Int) -> Bool { subscriptions.kick(id) }

    /// Hands over what has arrived, for about 2 ms at most, and sends what others wait for.
    /// - Returns: true when there is more; the caller comes back soon.
    public func drain() -> Bool {
        start = rt_now()
        reportLosses(start)
        defer { subscriptions.flush() }
        while true {
            for _ in 0..<16 {
                let found = queue.pop { bytes, time, sender in handle(bytes, time, sender) }
                guard found else { return false }
            }
            if rt_now() - start > Self.patience { return true }
        }
    }

    private func handle(_ bytes: UnsafeRawBufferPointer, _ time: UInt64, _ sender: NetworkAddress) {
        if time > start, time > rt_now() { return announce(bytes, time) }
        hub.sender = sender
        defer { hub.sender = nil }
        if set(bytes, time, sender) { return }
        do {
            for (_, message) in try OSCPacket.parse(bytes, receiveTime: time) where !answer(message, sender) {
                let subscriber = subscriptions.subscriber(sender)
                if !objects.handle(message, from: subscriber) { hub.handle(message, from: subscriber) }
                keep(message.address, bytes)
            }
        } catch {
            hub.countMalformed("OSC port: \(error)")
        }
    }

    /// What most messages are: one number for a parameter that has been set before.
    /// - Returns: false, having done nothing, for every other message.
    private func set(_ bytes: UnsafeRawBufferPointer, _ time: UInt64, _ sender: NetworkAddress) -> Bool {
        guard shape == hub.shape, let (end, number) = OSCPacket.soleNumber(bytes),
            let known = slots.number(of: UnsafeRawBufferPointer(rebasing: bytes[..<end])),
            let number = objects.scaled(number, ADMScale(rawValue: known & 3)!)
        else { return false }
        return hub.set(known >> 2, to: number, time: time, from: subscriptions.subscriber(sender))
    }

    /// Remembers the slot of a message that was read, when it is one of those.
    private func keep(_ address: String, _ bytes: UnsafeRawBufferPointer) {
        guard let (end, _) = OSCPacket.soleNumber(bytes),
            let (slot, scale) = hub.tree.slot(at: address).map({ ($0, ADMScale.asItIs) }) ?? objects.single(address)
        else { return }
        if shape != hub.shape {
            shape = hub.shape
            slots.removeAll()
        }
        slots.insert(UnsafeRawBufferPointer(rebasing: bytes[..<end]), slot << 2 | scale.rawValue)
    }

    /// A message whose time is yet to come; it comes once more then, and what is wrong with it is said then.
    private func announce(_ bytes: UnsafeRawBufferPointer, _ due: UInt64) {
        guard let messages = try? OSCPacket.parse(bytes, receiveTime: due) else { return }
        for (_, message) in messages where !objects.prepare(message, due: due) { hub.prepare(message, due: due) }
    }

    /// What is asked of the port itself, and questions for values.
    /// - Returns: false for everything else.
    private func answer(_ message: Message, _ sender: NetworkAddress) -> Bool {
        switch message.address {
        case "/sync":
            // Messages are handled in their order: everything before this one has been.
            send(OSCPacket.bytes("/synced", Array(message.arguments.prefix(1))), sender)
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
            for answer in answers.prefix(Self.mostAnswers) { send(OSCPacket.bytes(answer.address, answer.arguments), sender) }
            guard answers.isEmpty else { return true }
            let slots = hub.readable(message.address)
            for slot in slots.prefix(Self.mostAnswers) {
                let node = hub.tree.nodes[slot]
                send(OSCPacket.bytes(node.address, node.spec.arguments(hub.value(slot))), sender)
            }
            return !slots.isEmpty
        }
        return true
    }

    /// What ADM-OSC calls the listener is the first one, in the same signs: degrees, yaw to the left, pitch up, roll to the right.
    private func pose(_ address: String) -> [Float]? {
        guard address.hasPrefix("/adm/lis/"), let slot = hub.tree.slot(at: ListenerParameter.ypr.address()) else { return nil }
        let angles = hub.value(slot).numbers
        switch address.dropFirst("/adm/lis/".count) {
        case "ypr": return angles
        case "yaw": return [angles[0]]
        case "pitch": return [angles[1]]
        case "roll": return [angles[2]]
        default: return nil
        }
    }

    private func converse(_ message: Message, _ sender: NetworkAddress) {
        if conversations.count >= Self.mostConversations, conversations[sender] == nil { conversations.removeAll() }
        var conversation = conversations[sender] ?? ClockConversation()
        _ = conversation.take(message.address, message.arguments, arrived: message.receiveTime) { send($0, sender) }
        conversations[sender] = conversation
        if let clock = conversation.exchange.clock { clocks.set(clock, of: sender) }
    }

    private func reportLosses(_ now: UInt64) {
        for stranger in admission.takeStrangers() {
            hub.notice(
                "OSC from \(stranger.host) is refused, it is neither this machine nor listed; "
                    + "if you know it, start with --allow-osc \(stranger.host)")
        }
        let (dropped, refused) = (counters.dropped, counters.refused)
        guard dropped != droppedBefore || refused != refusedBefore, now - reported > Self.reportInterval else { return }
        if dropped != droppedBefore {
            hub.notice("OSC port: \(dropped - droppedBefore) messages dropped, more came than could be handled")
        }
        if refused != refusedBefore {
            hub.notice(
                "OSC port: \(refused - refusedBefore) messages of bundles in the future refused, "
                    + "\(HeldMessages.mostMessages) wait already; is the sender's clock right?")
        }
        (droppedBefore, refusedBefore, reported) = (dropped, refused, now)
    }
}
