public import Crossing
public import DSP
package import RackCore

/// A rack that is edited during playback: receives plans and runs the newest.
public struct LiveRack: ~Copyable, Sendable {
    private var inlet: RackInlet
    private var runner: RackRunner

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - largestBlock: largest number of frames in one call of `process`.
    public init(plans: consuming Handover<RackPlan>.Realtime, rate: Float, largestBlock: Int) {
        inlet = RackInlet(plans)
        runner = RackRunner(rate: rate, largestBlock: largestBlock)
    }

    /// Latency of the output, samples.
    public var latency: Int { @_noLocks @_noAllocation get { inlet.latency } }

    /// Number of blocks that were replaced because their input was out of range.
    public var counts: RangeCounts { @_noLocks @_noAllocation get { runner.counts } }

    /// Processes one block in place.
    ///
    /// - Parameters:
    ///   - left, right: `frames` samples each, with room for whole lanes of 16.
    ///   - frames: at most the largest block.
    ///   - tempo: beats per minute.
    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tempo: Float
    ) {
        inlet.receive()
        guard inlet.isActive, let arrangement = inlet.arrangement else { return }
        inlet.load()
        runner.process(&arrangement.pointee, left, right, frames: frames, tempo: tempo)
        inlet.report()
    }
}

/// Realtime end of a rack that is edited during playback: receives plans, and exchanges numbers with the control side.
package struct RackInlet: ~Copyable, Sendable {
    private var plans: Handover<RackPlan>.Realtime
    // SAFETY: received from the handover; this value alone holds it and gives it back.
    private nonisolated(unsafe) var plan: UnsafeMutablePointer<RackPlan>?

    package init(_ plans: consuming Handover<RackPlan>.Realtime) { self.plans = plans }

    // SAFETY: a renderer ends on the control side, after the last plan was given back.
    deinit {
        plan?.deinitialize(count: 1)
        plan?.deallocate()
    }

    /// The newest arrangement, valid until the next call of ``receive()``; nil before the first.
    package var arrangement: UnsafeMutablePointer<RackArrangement>? { @_noLocks @_noAllocation get { plan?.pointee.arrangement } }

    /// Whether the rack has any places; one without leaves sound unchanged.
    package var isActive: Bool { @_noLocks @_noAllocation get { arrangement?.pointee.isActive ?? false } }

    /// Latency of the newest plan, samples.
    package var latency: Int { @_noLocks @_noAllocation get { arrangement?.pointee.latency ?? 0 } }

    /// Receives new plans.
    @_noLocks @_noAllocation
    package mutating func receive() {
        while let coming = plans.receive() {
            if let plan { plans.giveBack(plan) }
            plan = coming
        }
    }

    /// Reads the numbers of the control side, before a block.
    @_noLocks @_noAllocation
    package func load() { plan?.pointee.load() }

    /// Reports a block to the control side, after it.
    @_noLocks @_noAllocation
    package func report() { plan?.pointee.report() }
}
