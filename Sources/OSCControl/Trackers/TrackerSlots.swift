internal import CDatagram
internal import Hub
internal import Pose

/// The trackers that the pose thread serves, by slot number as assigned by the control thread.
struct TrackerSlots {
    private struct Slot {
        var feed: TrackerFeed
        let socket: Int32
        let isOnOSCPort: Bool
    }

    private var slots: [Int: Slot] = [:]
    /// Slots that share the OSC port, in ascending order.
    private var shared: [Int] = []
    /// Cache of slots by address; nil for addresses of no tracker. Limited in size.
    private var slotNumbers: [String: Int?] = [:]
    private static let maximumCachedAddresses = 1024

    /// Sockets to wait for: the OSC port's first, then those of the trackers.
    private(set) var sockets: [Int32]
    /// Slots of the tracker sockets.
    private var owners: [Int] = []

    init(besides socket: Int32) { sockets = [socket] }

    mutating func attach(_ slot: Int, _ feed: TrackerFeed, socket: Int32, onOSCPort: Bool) {
        detach(slot)
        slots[slot] = Slot(feed: feed, socket: socket, isOnOSCPort: onOSCPort)
        sort()
    }

    mutating func detach(_ slot: Int) {
        guard let old = slots.removeValue(forKey: slot) else { return }
        old.feed.leave()
        if old.socket >= 0 { datagram_close(old.socket) }
        sort()
    }

    private mutating func sort() {
        let numbers = slots.keys.sorted()
        owners = numbers.filter { slots[$0].map { $0.socket >= 0 } == true }
        sockets = [sockets[0]] + owners.compactMap { slots[$0]?.socket }
        shared = numbers.filter { slots[$0]?.isOnOSCPort == true }
        slotNumbers.removeAll()
    }

    mutating func change(_ slot: Int, _ body: (inout TrackerFeed) -> Void) {
        guard slots[slot] != nil else { return }
        body(&slots[slot]!.feed)
    }

    /// - Parameter place: index of the socket in ``sockets``.
    /// - Returns: the number of poses sent.
    mutating func take(place: Int, datagram: UnsafeRawBufferPointer, receiveTime: UInt64, senderTime: UInt64) -> Int {
        slots[owners[place - 1]]?.feed.take(datagram: datagram, receiveTime: receiveTime, senderTime: senderTime) ?? 0
    }

    /// - Returns: the number of poses sent for a message on the OSC port; nil when no tracker there has its address.
    mutating func take(
        _ address: String, _ bytes: UnsafeRawBufferPointer, receiveTime: UInt64, senderTime: UInt64 = 0
    ) -> Int? {
        guard !shared.isEmpty else { return nil }
        let slot: Int?
        if let known = slotNumbers[address] {
            slot = known
        } else {
            if slotNumbers.count >= Self.maximumCachedAddresses { slotNumbers.removeAll() }
            slot = shared.first { slots[$0]?.feed.knows(address) == true }
            slotNumbers[address] = .some(slot)
        }
        guard let slot, var message = try? OSCPacket.message(bytes, receiveTime: receiveTime) else { return nil }
        message.senderTime = senderTime
        return slots[slot]?.feed.take(message)
    }

    /// Returns whether a tracker on the OSC port has this address.
    func knows(_ address: String) -> Bool { shared.contains { slots[$0]?.feed.knows(address) == true } }

    var nextDue: UInt64? { slots.values.lazy.compactMap(\.feed.nextDue).min() }

    /// - Returns: the number of poses sent.
    mutating func release(now: UInt64) -> Int {
        var poses = 0
        for slot in slots.keys where slots[slot]!.feed.nextDue.map({ $0 <= now }) == true {
            poses += slots[slot]!.feed.release(now: now)
        }
        return poses
    }

    mutating func closeAll() {
        for slot in Array(slots.keys) { detach(slot) }
    }
}
