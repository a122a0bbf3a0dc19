internal import CRealtime
public import Crossing
public import Hub

/// The control thread's end of the OSC port: hands what the pose thread passed on to the hub.
public final class OSCDispatcher {
    private let hub: Hub
    private let counters: OSCCounters
    private var queue: RecordRing.Consumer
    private var droppedBefore = 0
    private var refusedBefore = 0
    /// When losses were last reported, CLOCK_MONOTONIC nanoseconds.
    private var reported: UInt64 = 0

    /// Nanoseconds after which ``drain()`` lets others have the thread.
    private static let patience: UInt64 = 2_000_000
    /// Nanoseconds between two reports of losses.
    private static let reportInterval: UInt64 = 1_000_000_000

    public init(queue: consuming RecordRing.Consumer, hub: Hub, counters: OSCCounters) {
        self.queue = queue
        self.hub = hub
        self.counters = counters
    }

    /// Hands over what has arrived, for about 2 ms at most.
    /// - Returns: true when there is more; the caller comes back soon.
    public func drain() -> Bool {
        let start = rt_now()
        reportLosses(start)
        while true {
            for _ in 0..<16 {
                let found = queue.pop { bytes, time in handle(bytes, time) }
                guard found else { return false }
            }
            if rt_now() - start > Self.patience { return true }
        }
    }

    private func handle(_ bytes: UnsafeRawBufferPointer, _ time: UInt64) {
        do {
            for (_, message) in try OSCPacket.parse(bytes, receiveTime: time) { hub.handle(message) }
        } catch {
            hub.countMalformed("OSC port: \(error)")
        }
    }

    private func reportLosses(_ now: UInt64) {
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
