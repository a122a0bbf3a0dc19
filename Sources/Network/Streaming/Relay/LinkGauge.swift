/// Measures one link by the receipts of its frames: how many are on their way, how long they take, and whether that becomes longer.
public struct LinkGauge: Sendable {
    /// Milliseconds of a first trip that has not been measured.
    private static let unknown = 150.0
    /// Milliseconds without any receipt, while frames are on their way, after which the link counts as late.
    private static let silence = 400.0
    /// Milliseconds of the same silence after which the receiver counts as gone.
    private static let gone = 10_000.0

    private var start = SlowStart()
    private var trips = TripGauge(strained: 60, late: 140)
    /// Times at which the frames on their way were sent, the oldest first.
    private var sentAt: [Double] = []
    private var latestReceipt = 0.0
    /// Frames that were sent, that have arrived, and that were late.
    public private(set) var sent = 0
    public private(set) var arrived = 0
    public private(set) var late = 0

    public init() {}

    /// Frames that were sent and have not been confirmed.
    public var onTheirWay: Int { sentAt.count }
    /// Median of the last five trips from the relay to the receiver's receipt, milliseconds; 0 before the first.
    public var trip: Double { trips.trip }
    /// Shortest trip of the last seconds; nil before the first.
    public var floor: Double? { trips.floor }
    /// Milliseconds per frame by which trips become longer.
    public var slope: Double { trips.slope }

    /// Frames that may be on their way at once, when one lasts a number of milliseconds.
    public func limit(_ milliseconds: Int) -> Int {
        max(1, start.limit(roundTrip: floor ?? Self.unknown, milliseconds: milliseconds))
    }

    public mutating func send(now: Double) {
        if sentAt.isEmpty { latestReceipt = now }
        sentAt.append(now)
        sent += 1
    }

    /// Notes that the bucket ran over.
    public mutating func overflow() { start.late() }

    /// Notes a receipt.
    ///
    /// - Parameter milliseconds: that a frame lasts.
    /// - Returns: false for an impossible one: of frames that were never sent, or of fewer than before.
    public mutating func note(_ receipt: RelayReceipt, milliseconds: Int, now: Double) -> Bool {
        guard (arrived...sent).contains(receipt.frames), (late...receipt.frames).contains(receipt.late) else { return false }
        let newer = receipt.frames - arrived
        let newlyLate = receipt.late - late
        (arrived, late, latestReceipt) = (receipt.frames, receipt.late, now)
        guard newer > 0 else { return true }
        let trip = now - sentAt[newer - 1]
        sentAt.removeFirst(newer)
        trips.add(trip, now: now)
        if newlyLate > 1 { start.late() }
        start.arrive(newer, usual: SlowStart().limit(roundTrip: floor ?? Self.unknown, milliseconds: milliseconds))
        return true
    }

    /// Whether the receiver has confirmed nothing for so long that its network counts as unknown.
    public func isGone(now: Double) -> Bool { !sentAt.isEmpty && now - max(latestReceipt, sentAt[0]) > Self.gone }

    /// State of the link.
    public func state(now: Double) -> LinkState {
        if !sentAt.isEmpty, now - max(latestReceipt, sentAt[0]) > Self.silence { return .late }
        let state = trips.state
        return state == .calm && start.isSlow ? .strained : state
    }
}
