internal import Crossing
internal import DSP
internal import RenderInterface

/// Reports of a worker that renders network listeners: blocks, time spent, stamps of poses, and how often sound was out of range.
struct WorkerReports: ~Copyable, Sendable {
    /// Counts of each worker, in the order of ``NetworkConnections/reports``.
    enum Count: Int, CaseIterable {
        /// Blocks that were rendered, and blocks that were left out because the worker had fallen behind.
        case blocks, lost
        /// Nanoseconds spent rendering.
        case busy

        @_noLocks @_noAllocation
        func place(_ worker: Int) -> Int { worker &* Self.count &+ rawValue }

        static var count: Int { @_noLocks @_noAllocation get { 3 } }
    }

    private var stamps: Ring<LatencyStamp>.Producer
    private let owners: [CountRow]
    private let counts: CountRow.View
    private let positions: CountRow.View
    private let resets: CountRow.View
    private let nonFinite: CountRow.View
    private let worker: Int
    private var pace: ReportPace
    private var blocks = 0
    private var lost = 0
    private var busy = 0

    /// - Parameters:
    ///   - stamps: receives stamps of poses.
    ///   - counts: of each worker, in the order of ``Count``.
    ///   - positions: receives the engine's sample count after the last frame of each listener.
    ///   - resets: receives how often sound out of range was replaced, in the order of ``RangePlaces``.
    ///   - nonFinite: receives how many of those times the samples were not finite.
    ///   - rate: frames per second.
    init(
        _ worker: Int, stamps: consuming Ring<LatencyStamp>.Producer, counts: CountRow, positions: CountRow, resets: CountRow,
        nonFinite: CountRow, rate: Float
    ) {
        self.worker = worker
        self.stamps = stamps
        owners = [counts, positions, resets, nonFinite]
        self.counts = counts.view
        self.positions = positions.view
        self.resets = resets.view
        self.nonFinite = nonFinite.view
        pace = ReportPace(rate: rate)
    }

    /// Counts rendered blocks, and nanoseconds spent on them.
    @_noLocks @_noAllocation
    mutating func note(blocks: Int, nanoseconds: UInt64) {
        self.blocks = self.blocks &+ blocks
        busy = busy &+ Int(truncatingIfNeeded: nanoseconds)
        counts.set(Count.blocks.place(worker), self.blocks)
        counts.set(Count.busy.place(worker), busy)
    }

    /// Counts blocks that were left out.
    @_noLocks @_noAllocation
    mutating func note(lost blocks: Int) {
        lost = lost &+ blocks
        counts.set(Count.lost.place(worker), lost)
    }

    /// Notes that a listener has been rendered up to a sample of the engine.
    @_noLocks @_noAllocation
    func set(_ listener: Int, position: Int) { positions.set(listener, position) }

    @_noLocks @_noAllocation
    func set(_ listener: Int, _ range: RangeCounts) {
        resets.set(RangePlaces.listener(listener), range.resets)
        nonFinite.set(RangePlaces.listener(listener), range.nonFinite)
    }

    @_noLocks @_noAllocation
    mutating func send(_ stamp: LatencyStamp) { _ = stamps.push(stamp) }

    /// Whether levels are to be sent with a block.
    @_noLocks @_noAllocation
    mutating func isDue(after frames: Int) -> Bool { pace.isDue(after: frames) }
}
