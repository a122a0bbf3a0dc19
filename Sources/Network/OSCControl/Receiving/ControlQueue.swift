internal import Hub
internal import Synchronization

/// Messages on their way from the pose thread to the control thread.
struct ControlQueue: ~Copyable {
    private var ring: DatagramRing.Producer
    private let counters: OSCCounters
    /// Whether there is something that the control thread has not been notified of.
    private var hasNews = false
    private var flood = FloodGauge()
    /// Number of messages in this turn.
    private var count = 0
    /// Whether the last receive call left datagrams in the kernel.
    var isMoreWaiting = false

    init(_ ring: consuming DatagramRing.Producer, _ counters: OSCCounters) {
        self.ring = ring
        self.counters = counters
    }

    mutating func push(_ bytes: UnsafeRawBufferPointer, receiveTime: UInt64, from sender: NetworkAddress) {
        if !ring.push(bytes, time: receiveTime, from: sender) { counters.droppedCount.add(1, ordering: .relaxed) }
        count += 1
        hasNews = true
    }

    /// Notes a message to an unknown address, which is dropped.
    mutating func drop() {
        counters.unknownCount.add(1, ordering: .relaxed)
        count += 1
    }

    /// Notifies the control thread of something other than a message.
    mutating func noteNews() { hasNews = true }

    /// Returns whether the control thread is to be notified, once for each notification.
    mutating func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    /// Ends a turn of the pose thread.
    /// - Returns: whether messages come so fast that a pause before the next turn saves time.
    mutating func finishTurn(now: UInt64) -> Bool {
        flood.note(count, now: now)
        defer { count = 0 }
        return flood.isFlood && count > 0 && !isMoreWaiting
    }
}

/// Detects message rates at which handling messages in batches is cheaper than one by one.
struct FloodGauge {
    /// Length of the counting window in nanoseconds.
    private static let window: UInt64 = 1_000_000
    /// Messages per window above which the rate is a flood: 32,000 per second.
    private static let threshold = 32

    private var windowStart: UInt64 = 0
    private var count = 0
    private(set) var isFlood = false

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    mutating func note(_ messages: Int, now: UInt64) {
        if now - windowStart > Self.window {
            // A window that spans a pause does not show the rate.
            isFlood = count > Self.threshold && now - windowStart < 2 * Self.window
            (windowStart, count) = (now, 0)
        }
        count += messages
    }
}
