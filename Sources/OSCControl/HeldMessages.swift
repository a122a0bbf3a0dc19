internal import Crossing

/// Messages of bundles whose time is yet to come, in the order in which they are due. Bounded.
struct HeldMessages {
    static let mostMessages = 4096
    static let mostBytes = 8 << 20

    private struct Held {
        let due: UInt64
        let bytes: [UInt8]
        let sender: NetworkAddress
    }

    /// The one due first stands last.
    private var waiting: [Held] = []
    private var size = 0

    /// When the next one is due, CLOCK_MONOTONIC nanoseconds.
    var nextDue: UInt64? { waiting.last?.due }

    /// Keeps a message until `due`; those due at the same time come out as they went in.
    /// - Returns: false, and keeps nothing, when there is no room.
    mutating func hold(_ bytes: UnsafeRawBufferPointer, until due: UInt64, from sender: NetworkAddress) -> Bool {
        guard waiting.count < Self.mostMessages, size + bytes.count <= Self.mostBytes else { return false }
        var (low, high) = (0, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if waiting[middle].due > due { low = middle + 1 } else { high = middle }
        }
        waiting.insert(Held(due: due, bytes: Array(bytes), sender: sender), at: low)
        size += bytes.count
        return true
    }

    /// The next message that is due at `now`, its time and its sender; nil when there is none.
    mutating func take(now: UInt64) -> (due: UInt64, bytes: [UInt8], sender: NetworkAddress)? {
        guard let next = waiting.last, next.due <= now else { return nil }
        waiting.removeLast()
        size -= next.bytes.count
        return (next.due, next.bytes, next.sender)
    }
}
