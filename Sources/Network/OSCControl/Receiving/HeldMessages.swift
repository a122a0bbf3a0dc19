internal import Hub

/// Messages of bundles with a time in the future, in the order in which they fall due. Limited in size, and for each sender.
///
/// Each is returned twice: some time before it is due, as an announcement, and when it is due.
struct HeldMessages {
    static let maximum = HeldLoad(messages: 4096, bytes: 8 << 20)
    /// Limit for the messages of one sender.
    static let share = HeldLoad(messages: 1024, bytes: 2 << 20)
    /// Nanoseconds that a message may wait: one hour. A time that is further ahead is a sign of a wrong clock.
    static let horizon: UInt64 = 3_600_000_000_000
    /// Nanoseconds between the announcement and the due time: more than the output latency.
    static let lead: UInt64 = 300_000_000

    struct Held {
        /// Time at which it is returned next, CLOCK_MONOTONIC nanoseconds.
        fileprivate var next: UInt64
        let due: UInt64
        let bytes: [UInt8]
        let sender: NetworkAddress
        /// The sender against whose limit it counts.
        fileprivate let owner: NetworkAddress
        /// Whether this is the announcement, after which the message is returned once more.
        var isEarly: Bool { next < due }
    }

    /// Sorted by time, descending.
    private var waiting: [Held] = []
    private var total = HeldLoad()
    /// Held messages of each sender, and of each machine.
    private var loads: [NetworkAddress: HeldLoad] = [:]
    private var machines: [NetworkAddress: HeldLoad] = [:]

    /// Time at which the next message is returned, CLOCK_MONOTONIC nanoseconds.
    var nextDue: UInt64? { waiting.last?.next }

    /// Holds a message until `due`. Messages due at the same time keep their order. When there is no room, messages of the machine that
    /// has the most are removed, those due last first.
    /// - Parameter owner: the sender against whose limit it counts, if that is not `sender`.
    /// - Returns: the messages that are not held, this one or others, by their senders.
    mutating func hold(
        _ bytes: UnsafeRawBufferPointer, until due: UInt64, now: UInt64, from sender: NetworkAddress, owner: NetworkAddress? = nil
    ) -> [TimedRefusal] {
        let owner = owner ?? sender
        let load = HeldLoad(messages: 1, bytes: bytes.count)
        let ahead = due > now ? due - now : 0
        guard ahead <= Self.horizon else { return [TimedRefusal(.horizon, of: owner, ahead: ahead)] }
        guard (loads[owner] ?? .init()).fits(load, within: Self.share) else { return [TimedRefusal(.share, of: owner)] }
        var refusals: [TimedRefusal] = []
        while let measure = total.excess(load, over: Self.maximum) {
            guard let other = yielding(to: owner, load[keyPath: measure], measure),
                let place = waiting.firstIndex(where: { $0.owner == other })
            else { return refusals + [TimedRefusal(.full, of: owner)] }
            count(waiting.remove(at: place), -1)
            refusals.append(TimedRefusal(.full, of: other))
        }
        // Messages due within the lead time are announced immediately.
        let message = Held(next: due - min(due, Self.lead), due: due, bytes: Array(bytes), sender: sender, owner: owner)
        insert(message)
        count(message, 1)
        return refusals
    }

    /// The sender whose messages are removed: one of the machine that has the most, or else one of the newcomer's own machine.
    private func yielding(to newcomer: NetworkAddress, _ size: Int, _ measure: KeyPath<HeldLoad, Int>) -> NetworkAddress? {
        let machine = newcomer.machine
        let heaviest = FairShare.yielding(machines.mapValues { $0[keyPath: measure] }, to: machine, size: size)
        let senders = loads.filter { $0.key.machine == heaviest ?? machine }.mapValues { $0[keyPath: measure] }
        // The largest sender of another machine gives way whatever its size.
        return heaviest == nil ? FairShare.yielding(senders, to: newcomer, size: size) : senders.max { $0.value < $1.value }?.key
    }

    private mutating func count(_ message: Held, _ sign: Int) {
        let load = HeldLoad(messages: sign, bytes: sign * message.bytes.count)
        total.add(load)
        loads[message.owner, default: .init()].add(load)
        machines[message.owner.machine, default: .init()].add(load)
        if loads[message.owner]?.messages == 0 { loads[message.owner] = nil }
        if machines[message.owner.machine]?.messages == 0 { machines[message.owner.machine] = nil }
    }

    private mutating func insert(_ message: Held) {
        var (low, high) = (0, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if waiting[middle].next > message.next { low = middle + 1 } else { high = middle }
        }
        waiting.insert(message, at: low)
    }

    /// Returns the next message that is due or to be announced at `now`; nil when there is none.
    mutating func take(now: UInt64) -> Held? {
        guard let next = waiting.last, next.next <= now else { return nil }
        waiting.removeLast()
        if next.isEarly, next.due > now {
            var again = next
            again.next = next.due
            insert(again)
            return next
        }
        count(next, -1)
        var last = next
        last.next = next.due
        return last
    }
}

/// A number of messages and their bytes.
struct HeldLoad: Equatable {
    var messages = 0
    var bytes = 0

    mutating func add(_ other: HeldLoad) {
        messages += other.messages
        bytes += other.bytes
    }

    func fits(_ other: HeldLoad, within limit: HeldLoad) -> Bool { excess(other, over: limit) == nil }

    /// The quantity that exceeds a limit when `other` is added; nil for none.
    func excess(_ other: HeldLoad, over limit: HeldLoad) -> KeyPath<HeldLoad, Int>? {
        if messages + other.messages > limit.messages { return \.messages }
        return bytes + other.bytes > limit.bytes ? \.bytes : nil
    }
}
