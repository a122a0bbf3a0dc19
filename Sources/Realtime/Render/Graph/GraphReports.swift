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
