/// Measures one link by the receipts of its frames: how many are on their way, how long they take, and whether that becomes longer.
public struct LinkGauge: Sendable {
    /// Milliseconds beyond the shortest trip of the last seconds at which the link counts as strained, and as late.
    static let (strained, late) = (60.0, 140.0)
    /// Milliseconds for which the shortest trip counts, and of a first trip that has not been measured.
    private static let (memory, unknown) = (15_000.0, 150.0)
    /// Milliseconds without any receipt, while frames are on their way, after which the link counts as late.
    private static let silence = 400.0

    private var start = SlowStart()
    private var trips = Tendency()
    private var recent: [Double] = []
    /// Times at which the frames on their way were sent, the oldest first.
    private var sentAt: [Double] = []
    private var latestReceipt = 0.0
    /// Shortest trips in the present and the previous part of the memory.
    private var shortest: (present: Double?, previous: Double?) = (nil, nil)
    private var begun = 0.0
    /// Frames that were sent, that have arrived, and that were late.
    public private(set) var sent = 0
    public private(set) var arrived = 0
    public private(set) var late = 0

    public init() {}

    /// Frames that were sent and have not been confirmed.
    public var onTheirWay: Int { sentAt.count }
    /// Median of the last five trips from the relay to the receiver's receipt, milliseconds; 0 before the first.
    public var trip: Double { recent.isEmpty ? 0 : recent.sorted()[recent.count / 2] }
    /// Shortest trip of the last seconds; nil before the first.
    public var floor: Double? { [shortest.present, shortest.previous].compactMap { $0 }.min() }
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
    /// - Returns: false for one that cannot be: of frames that were never sent, or of fewer than before.
    public mutating func note(_ receipt: RelayReceipt, milliseconds: Int, now: Double) -> Bool {
        guard (arrived...sent).contains(receipt.frames), (late...receipt.frames).contains(receipt.late) else { return false }
        let newer = receipt.frames - arrived
        let newlyLate = receipt.late - late
        (arrived, late, latestReceipt) = (receipt.frames, receipt.late, now)
        guard newer > 0 else { return true }
        let trip = now - sentAt[newer - 1]
        sentAt.removeFirst(newer)
        trips.add(trip)
        if recent.count == 5 { recent.removeFirst() }
        recent.append(trip)
        if now - begun > Self.memory / 2 {
            shortest = (nil, shortest.present)
            begun = now
        }
        shortest.present = min(shortest.present ?? trip, trip)
        if newlyLate > 1 { start.late() }
        start.arrive(newer, usual: SlowStart().limit(roundTrip: floor ?? Self.unknown, milliseconds: milliseconds))
        return true
    }

    /// State of the link.
    public func state(now: Double) -> LinkState {
        if !sentAt.isEmpty, now - max(latestReceipt, sentAt[0]) > Self.silence { return .late }
        guard let floor, recent.count == 5 else { return start.isSlow ? .strained : .calm }
        let excess = trip - floor
        // A delay that grows with every frame shows a full link before it is long.
        let growth = trips.slope * Double(Tendency.count - 1)
        if excess > Self.late || (excess > Self.strained && growth > Self.strained) { return .late }
        return excess > Self.strained || start.isSlow ? .strained : .calm
    }
}
