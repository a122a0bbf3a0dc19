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

/// Trips of frames: how long they take beyond the shortest of the last seconds, and whether that becomes longer. All times are
/// milliseconds.
struct TripGauge: Sendable {
    /// Time for which the shortest trip counts.
    private static let memory = 15_000.0
    /// Trips whose median counts.
    private static let count = 5

    /// Time beyond the shortest trip at which the network counts as strained, and as late.
    private let bounds: (strained: Double, late: Double)
    private var tendency = Tendency()
    private var recent: [Double] = []
    /// Shortest trips in the current and the previous part of the memory.
    private var shortest: (present: Double?, previous: Double?) = (nil, nil)
    private var begun = 0.0

    init(strained: Double, late: Double) { bounds = (strained, late) }

    /// Median of the latest trips; 0 before the first.
    var trip: Double { recent.isEmpty ? 0 : recent.sorted()[recent.count / 2] }
    /// Shortest trip of the last seconds; nil before the first.
    var floor: Double? { [shortest.present, shortest.previous].compactMap { $0 }.min() }
    /// Time per frame by which trips become longer.
    var slope: Double { tendency.slope }

    mutating func add(_ trip: Double, now: Double) {
        tendency.add(trip)
        if recent.count == Self.count { recent.removeFirst() }
        recent.append(trip)
        if now - begun > Self.memory / 2 {
            shortest = (nil, shortest.present)
            begun = now
        }
        shortest.present = min(shortest.present ?? trip, trip)
    }

    /// State of the network; calm while too few trips are known.
    var state: LinkState {
        guard let floor, recent.count == Self.count else { return .calm }
        let excess = trip - floor
        // A delay that grows with every frame reveals a full link before the delay is long.
        let growth = slope * Double(Tendency.count - 1)
        if excess > bounds.late || (excess > bounds.strained && growth > bounds.strained) { return .late }
        return excess > bounds.strained ? .strained : .calm
    }
}

/// Measures the path of a sender's pictures to the relay by their times of capture; its clock may differ by any constant. Too narrow a
/// network on this path delays all receivers, whatever their own networks carry.
struct UplinkGauge: Sendable {
    /// Milliseconds beyond which the clock has jumped, as after a sleep.
    private static let jump = 10_000.0

    private var trips = Self.empty
    private var latest: UInt64?
    /// Strategy that the uplink needs.
    private(set) var steps: StepChooser

    // Encoders of busy computers are late at times: more is tolerated than between the relay and a receiver.
    private static var empty: TripGauge { TripGauge(strained: 100, late: 250) }

    /// - Parameter steps: number of strategies.
    init(steps: Int) { self.steps = StepChooser(count: steps, pace: .picture) }

    /// Notes a picture.
    ///
    /// - Parameters:
    ///   - captured: microseconds of the sender's clock.
    ///   - now: milliseconds.
    /// - Returns: whether another strategy is needed.
    mutating func note(captured: UInt64, now: Double) -> Bool {
        defer { latest = captured }
        // Programs may send no times.
        guard let latest, captured > latest else { return false }
        let trip = now - Double(captured) / 1000
        if let floor = trips.floor, abs(trip - floor) > Self.jump { trips = Self.empty }
        trips.add(trip, now: now)
        return steps.note(trips.state, now: now)
    }
}
