/// Sending side of one stream: which packets go now, which wait, and how the stream adapts to measurements.
///
/// Independent of sockets and codecs: the owner states how many packets are on their way, and sends what ``take(onTheirWay:)`` returns.
public struct StreamSender<Packet> {
    /// Milliseconds by which round trips may vary before the network counts as strained.
    private static var tolerance: Double { 40 }
    /// Share of late packets in a report that counts.
    private static var lateShare: Double { 0.05 }
    /// Milliseconds of a first round trip that has not been measured.
    private static var unknownTrip: Double { 300 }

    private let isAdaptive: Bool
    private var chooser: StrategyChooser
    private var bucket = LeakyBucket<Packet>()
    private var start = SlowStart()
    private var tendency = Tendency()
    private var report = ReceiverReport()
    private var sent = 0
    private var arrived = 0
    private var earlierChanges = 0

    /// - Parameters:
    ///   - isAdaptive: whether the strategy may change; otherwise the best one stays.
    ///   - changes: of senders that this one replaces.
    public init(_ bounds: StreamBounds, isAdaptive: Bool, changes: Int = 0) {
        self.init(StrategyLadder(bounds), isAdaptive: isAdaptive, changes: changes)
    }

    /// - Parameters:
    ///   - ladder: the strategies.
    ///   - isAdaptive, changes: as above.
    ///   - isCautious: whether an adaptive stream begins with the cheapest strategy and one packet, because the network is narrow.
    public init(_ ladder: StrategyLadder, isAdaptive: Bool, changes: Int = 0, isCautious: Bool = false) {
        self.isAdaptive = isAdaptive
        chooser = StrategyChooser(ladder, isCautious: isCautious && isAdaptive)
        earlierChanges = changes
        if isCautious { start.late() }
    }

    public var strategy: StreamStrategy { chooser.strategy }
    /// Number of changes of the strategy.
    public var changes: Int { earlierChanges + chooser.changes }
    /// Packets that were left out.
    public var overflow: Int { bucket.overflow }
    /// Median of the latest burst of round trips, milliseconds; 0 before the first.
    public var roundTrip: Double { tendency.latest ?? 0 }
    /// Slope of the last ten medians, milliseconds per burst.
    public var slope: Double { tendency.slope }
    public var latestReport: ReceiverReport { report }
    /// Whether packets had to be left out and the stream has not recovered yet.
    public var isCongested: Bool { start.isSlow }

    /// Whether ``take(onTheirWay:)`` has something to do without a new packet: one waits, or confirmations end the slow start.
    public var isPending: Bool { !bucket.isEmpty || isCongested }

    // MARK: Packets

    /// Takes a packet that is due.
    ///
    /// - Parameter now: milliseconds of a clock that never goes back.
    /// - Returns: whether the strategy has changed.
    public mutating func offer(_ packet: Packet, now: Double) -> Bool {
        guard bucket.add(packet) else { return false }
        start.late()
        return note(.full, now)
    }

    /// Removes the next packet to send now; nil when none should go.
    ///
    /// - Parameter onTheirWay: packets that were sent and are not known to have arrived.
    public mutating func take(onTheirWay: Int) -> Packet? {
        let strategy = strategy
        confirm(onTheirWay)
        let limit = limit(strategy)
        let isGathered = bucket.count >= strategy.packetsTogether || isReleasing
        guard isGathered, onTheirWay < limit, let packet = bucket.take() else { return nil }
        isReleasing = !bucket.isEmpty
        sent += 1
        return packet
    }

    /// Whether packets that are sent together are being sent.
    private var isReleasing = false

    private func limit(_ strategy: StreamStrategy) -> Int {
        start.limit(
            roundTrip: tendency.floor ?? Self.unknownTrip, milliseconds: strategy.encoding.milliseconds,
            together: strategy.packetsTogether)
    }

    private mutating func confirm(_ onTheirWay: Int) {
        let now = max(arrived, sent - onTheirWay)
        let usual = SlowStart().limit(
            roundTrip: tendency.floor ?? Self.unknownTrip, milliseconds: strategy.encoding.milliseconds,
            together: strategy.packetsTogether)
        start.arrive(now - arrived, usual: usual)
        arrived = now
    }

    /// Leaves out what waits, as at a change of the encoding.
    public mutating func clear() {
        bucket.clear()
        isReleasing = false
    }

    // MARK: Measurements

    /// Notes the result of a burst of round trips.
    /// - Returns: whether the strategy has changed.
    public mutating func note(_ reading: RoundTripBurst.Reading, now: Double) -> Bool {
        tendency.add(reading.duration)
        return note(tendency.isRising(beyond: Self.tolerance) ? .strained : .calm, now)
    }

    /// Notes the receiver's counts since its beginning.
    ///
    /// - Returns: whether the strategy has changed.
    public mutating func note(_ newer: ReceiverReport, now: Double) -> Bool {
        guard newer.isPossible else { return false }
        let packets = newer.packets - report.packets
        let late = newer.late - report.late
        report = newer
        guard packets > 0 else { return false }
        let isLate = Double(late) > Self.lateShare * Double(packets) && late > 1
        guard isLate else { return note(start.isSlow ? .strained : .calm, now) }
        start.late()
        return note(tendency.isRising(beyond: Self.tolerance) ? .late : .strained, now)
    }

    private mutating func note(_ state: LinkState, _ now: Double) -> Bool {
        guard isAdaptive else { return false }
        return chooser.note(state, now: now)
    }
}

extension StreamSender: Sendable where Packet: Sendable {}

/// Counts and delays that the receiver of a stream has measured since its beginning.
public struct ReceiverReport: Sendable, Equatable {
    /// Packets that arrived, that came after their time, and that are missing.
    public var packets: Int
    public var late: Int
    public var lost: Int
    /// Packets that were refused: damaged, repeated, or of another stream.
    public var refused: Int
    /// Milliseconds of sound that had to be concealed.
    public var concealed: Double
    /// Present and wanted delay in the receiver, milliseconds.
    public var buffer: Double
    public var target: Double
    /// Sender's clock against the receiver's, parts per million.
    public var drift: Double

    public init(
        packets: Int = 0, late: Int = 0, lost: Int = 0, refused: Int = 0, concealed: Double = 0, buffer: Double = 0, target: Double = 0,
        drift: Double = 0
    ) {
        self.packets = packets
        self.late = late
        self.lost = lost
        self.refused = refused
        self.concealed = concealed
        self.buffer = buffer
        self.target = target
        self.drift = drift
    }

    /// Whether all numbers are plausible: finite, and none below 0 except the drift.
    public var isPossible: Bool {
        let counts = [packets, late, lost, refused]
        return counts.allSatisfy { $0 >= 0 && $0 < 1 << 53 } && [concealed, buffer, target].allSatisfy { $0.isFinite && $0 >= 0 }
            && drift.isFinite
    }
}

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
