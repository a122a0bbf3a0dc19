internal import CDatagram
internal import Hub
internal import Pose

/// The trackers that the pose thread serves, by number as assigned by the control thread.
struct TrackerTable {
    private struct Entry {
        var feed: TrackerFeed
        let socket: Int32
        let isOnOSCPort: Bool
    }

    private var entries: [Int: Entry] = [:]
    /// Numbers that share the OSC port, in ascending order.
    private var shared: [Int] = []
    /// Numbers by address, a cache; nil for addresses of no tracker. Limited in size.
    private var known: [String: Int?] = [:]
    private static let maximumCachedAddresses = 1024

    /// Sockets to wait for: the OSC port's first, then those of the trackers.
    private(set) var sockets: [Int32]
    /// Numbers of the tracker sockets.
    private var owners: [Int] = []

    init(besides socket: Int32) { sockets = [socket] }

    mutating func attach(_ number: Int, _ feed: TrackerFeed, socket: Int32, onOSCPort: Bool) {
        detach(number)
        entries[number] = Entry(feed: feed, socket: socket, isOnOSCPort: onOSCPort)
        sort()
    }

    mutating func detach(_ number: Int) {
        guard let old = entries.removeValue(forKey: number) else { return }
        old.feed.leave()
        if old.socket >= 0 { datagram_close(old.socket) }
        sort()
    }

    private mutating func sort() {
        let numbers = entries.keys.sorted()
        owners = numbers.filter { entries[$0].map { $0.socket >= 0 } == true }
        sockets = [sockets[0]] + owners.compactMap { entries[$0]?.socket }
        shared = numbers.filter { entries[$0]?.isOnOSCPort == true }
        known.removeAll()
    }

    mutating func change(_ number: Int, _ body: (inout TrackerFeed) -> Void) {
        guard entries[number] != nil else { return }
        body(&entries[number]!.feed)
    }

    /// - Parameter place: index of the socket in ``sockets``.
    /// - Returns: the number of poses sent.
    mutating func take(place: Int, datagram: UnsafeRawBufferPointer, receiveTime: UInt64, senderTime: UInt64) -> Int {
        entries[owners[place - 1]]?.feed.take(datagram: datagram, receiveTime: receiveTime, senderTime: senderTime) ?? 0
    }

    /// - Returns: the number of poses sent for a message on the OSC port; nil when no tracker there has its address.
    mutating func take(
        _ address: String, _ bytes: UnsafeRawBufferPointer, receiveTime: UInt64, senderTime: UInt64 = 0
    ) -> Int? {
        guard !shared.isEmpty else { return nil }
        let number: Int?
        if let earlier = known[address] {
            number = earlier
        } else {
            if known.count >= Self.maximumCachedAddresses { known.removeAll() }
            number = shared.first { entries[$0]?.feed.knows(address) == true }
            known[address] = .some(number)
        }
        guard let number, var message = try? OSCPacket.message(bytes, receiveTime: receiveTime) else { return nil }
        message.senderTime = senderTime
        return entries[number]?.feed.take(message)
    }

    /// Returns whether a tracker on the OSC port has this address.
    func knows(_ address: String) -> Bool { shared.contains { entries[$0]?.feed.knows(address) == true } }

    var nextDue: UInt64? { entries.values.lazy.compactMap(\.feed.nextDue).min() }

    /// - Returns: the number of poses sent.
    mutating func release(now: UInt64) -> Int {
        var poses = 0
        for number in entries.keys where entries[number]!.feed.nextDue.map({ $0 <= now }) == true {
            poses += entries[number]!.feed.release(now: now)
        }
        return poses
    }

    mutating func closeAll() {
        for number in Array(entries.keys) { detach(number) }
    }
}
