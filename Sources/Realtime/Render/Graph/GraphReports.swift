internal import Crossing
internal import DSP
internal import RenderInterface

/// Reports of the renderer: its state, levels, stamps of poses, and how often sound was out of range.
struct GraphReports: ~Copyable, Sendable {
    /// State after the part that was rendered last.
    var engine = EngineFrame()
    private var endpoints: EngineEndpoints
    private let places: RangePlaces
    private let owner: CountRow
    private let positions: CountRow.View
    private var gauge = LoadGauge()
    private var pace: ReportPace

    /// - Parameters:
    ///   - positions: receives the sample count after the last frame of each listener.
    ///   - rate: frames per second.
    init(_ endpoints: consuming EngineEndpoints, places: RangePlaces, positions: CountRow, rate: Float) {
        self.endpoints = endpoints
        self.places = places
        owner = positions
        self.positions = positions.view
        pace = ReportPace(rate: rate)
    }

    /// Counts rendered frames of the first `listeners` listeners.
    @_noLocks @_noAllocation
    mutating func advance(_ frames: Int, listeners: Int) {
        engine.samples &+= Int64(frames)
        for i in 0..<listeners { positions.set(i, Int(engine.samples)) }
    }

    /// Whether levels are to be sent with a block.
    @_noLocks @_noAllocation
    mutating func isDue(after frames: Int) -> Bool { pace.isDue(after: frames) }

    @_noLocks @_noAllocation
    mutating func send(_ stamp: LatencyStamp) { _ = endpoints.stamps.push(stamp) }

    /// - Returns: whether there was room for them.
    @_noLocks @_noAllocation
    mutating func send(_ microphones: MicrophoneFrame) -> Bool { endpoints.microphones.push(microphones) }

    /// Writes how often sound out of range was replaced at a place of ``RangePlaces``.
    @_noLocks @_noAllocation
    func set(_ counts: RangeCounts, _ place: Int) {
        endpoints.resets.set(place, counts.resets)
        endpoints.nonFinite.set(place, counts.nonFinite)
    }

    @_noLocks @_noAllocation
    func set(_ counts: RangeCounts, object: Int) { set(counts, places.object(object)) }

    /// Publishes the state after a block that was rendered from `begin` to `end`, nanoseconds.
    @_noLocks @_noAllocation
    mutating func publish(_ scene: borrowing RecordingScene, begin: UInt64, end: UInt64) {
        gauge.note(begin: begin, end: end)
        engine.blocks &+= 1
        engine.busy = gauge.busy
        engine.durations = gauge.durations
        engine.worst = gauge.slowest
        engine.dropouts = scene.dropouts
        engine.feed = scene.feed
        engine.feedFrames = scene.feedFrames
        engine.feedEnded = scene.hasEnded
        endpoints.engine.publish(engine)
    }
}

/// Time used for rendering: total, distribution, and the slowest block of the last one to two windows.
struct LoadGauge: BitwiseCopyable, Sendable {
    /// Length of a window, nanoseconds.
    static var window: UInt64 { @_noLocks @_noAllocation get { 500_000_000 } }

    private(set) var busy: Int64 = 0
    private(set) var durations = DurationCounts()
    private var worst: Int64 = 0
    private var worstBefore: Int64 = 0
    private var windowEnd: UInt64 = 0

    /// Notes a block that was rendered from `begin` to `end`, nanoseconds.
    @_noLocks @_noAllocation
    mutating func note(begin: UInt64, end: UInt64) {
        let spent = Int64(truncatingIfNeeded: end &- begin)
        busy &+= spent
        durations.note(spent)
        if end > windowEnd {
            worstBefore = worst
            worst = 0
            windowEnd = end &+ Self.window
        }
        worst = max(worst, spent)
    }

    var slowest: Int64 { @_noLocks @_noAllocation get { max(worst, worstBefore) } }
}

/// Decides when levels are sent: 120 times a second, the highest rate that clients may ask for, or with every block when these are
/// longer.
struct ReportPace: BitwiseCopyable, Sendable {
    private let interval: Int
    private var remaining = 0

    /// - Parameter rate: frames per second.
    init(rate: Float) { interval = Int(clamping: rate / 120) }

    /// Counts rendered frames; returns whether levels are to be sent with them.
    @_noLocks @_noAllocation
    mutating func isDue(after frames: Int) -> Bool {
        remaining = remaining &- frames
        guard remaining <= 0 else { return false }
        remaining = max(remaining &+ interval, 0)
        return true
    }
}
