/// Packets that wait at the sender because the network takes no more: at most three, the newest ones.
public struct LeakyBucket<Packet> {
    public static var capacity: Int { 3 }
    private var packets: [Packet] = []
    /// Packets that were left out so far.
    public private(set) var overflow = 0

    public init() {}

    public var isEmpty: Bool { packets.isEmpty }
    public var count: Int { packets.count }

    /// Adds a packet. When the bucket is full, the oldest one is left out.
    /// - Returns: whether one was left out.
    @discardableResult
    public mutating func add(_ packet: Packet) -> Bool {
        let isFull = packets.count == Self.capacity
        if isFull {
            packets.removeFirst()
            overflow += 1
        }
        packets.append(packet)
        return isFull
    }

    /// Removes the oldest packet.
    public mutating func take() -> Packet? { packets.isEmpty ? nil : packets.removeFirst() }

    /// Leaves out everything, as before a change of the encoding.
    public mutating func clear() { packets = [] }
}

extension LeakyBucket: Sendable where Packet: Sendable {}
