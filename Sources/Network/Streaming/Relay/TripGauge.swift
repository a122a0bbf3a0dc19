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
