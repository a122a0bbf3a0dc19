internal import Crossing

/// Messages of bundles whose time is yet to come, in the order in which they are due. Bounded.
///
/// Each comes out twice: a while before it is due, for those who can make use of that, and when it is.
struct HeldMessages {
    static let mostMessages = 4096
    static let mostBytes = 8 << 20
    /// Nanoseconds by which a message comes out before it is due: more than what lies between rendering and hearing.
    static let lead: UInt64 = 300_000_000

    struct Held {
        /// When it comes out next, CLOCK_MONOTONIC nanoseconds.
        fileprivate var next: UInt64
        let due: UInt64
        let bytes: [UInt8]
        let sender: NetworkAddress
        /// It comes out once more.
        var isEarly: Bool { next < due }
    }

    /// The one that comes out first stands last.
    private var waiting: [Held] = []
    private var size = 0

    /// When the next one comes out, CLOCK_MONOTONIC nanoseconds.
    var nextDue: UInt64? { waiting.last?.next }

    /// Keeps a message until `due`; those due at the same time come out as they went in.
    /// - Returns: false, and keeps nothing, when there is no room.
    mutating func hold(_ bytes: UnsafeRawBufferPointer, until due: UInt64, from sender: NetworkAddress) -> Bool {
        guard waiting.count < Self.mostMessages, size + bytes.count <= Self.mostBytes else { return false }
        // What is due within the lead comes out at once, the first time.
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

    /// The next message that comes out at `now`; nil when there is none.
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
