internal import Hub

/// Messages of bundles with a time in the future, in the order in which they fall due. Limited in size.
///
/// Each is returned twice: some time before it is due, as an announcement, and when it is due.
struct HeldMessages {
    static let maximumMessages = 4096
    static let maximumBytes = 8 << 20
    /// Nanoseconds between the announcement and the due time: more than the output latency.
    static let lead: UInt64 = 300_000_000

    struct Held {
        /// Time at which it is returned next, CLOCK_MONOTONIC nanoseconds.
        fileprivate var next: UInt64
        let due: UInt64
        let bytes: [UInt8]
        let sender: NetworkAddress
        /// Whether this is the announcement, after which the message is returned once more.
        var isEarly: Bool { next < due }
    }

    /// Sorted by time, descending.
    private var waiting: [Held] = []
    private var size = 0

    /// Time at which the next message is returned, CLOCK_MONOTONIC nanoseconds.
    var nextDue: UInt64? { waiting.last?.next }

    /// Holds a message until `due`. Messages due at the same time keep their order.
    /// - Returns: false, without effect, when there is no room.
    mutating func hold(_ bytes: UnsafeRawBufferPointer, until due: UInt64, from sender: NetworkAddress) -> Bool {
        guard waiting.count < Self.maximumMessages, size + bytes.count <= Self.maximumBytes else { return false }
        // Messages due within the lead time are announced immediately.
        insert(Held(next: due - min(due, Self.lead), due: due, bytes: Array(bytes), sender: sender))
        size += bytes.count
        return true
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
        size -= next.bytes.count
        var last = next
        last.next = next.due
        return last
    }
}
