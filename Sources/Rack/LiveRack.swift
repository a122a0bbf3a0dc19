public import Crossing
public import DSP

/// Realtime end of a rack that is edited during playback: receives plans and runs the newest.
public struct LiveRack: ~Copyable, Sendable {
    private var plans: Handover<RackPlan>.Realtime
    // SAFETY: received from the handover; this value alone holds it and gives it back.
    private nonisolated(unsafe) var plan: UnsafeMutablePointer<RackPlan>?
    private var runner: RackRunner

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - largestBlock: largest number of frames in one call of `process`.
    public init(plans: consuming Handover<RackPlan>.Realtime, rate: Float, largestBlock: Int) {
        self.plans = plans
        runner = RackRunner(rate: rate, largestBlock: largestBlock)
    }

    // SAFETY: a renderer ends on the control side, after the last plan was given back.
    deinit {
        plan?.deinitialize(count: 1)
        plan?.deallocate()
    }

    /// Latency of the output, samples.
    public var latency: Int { @_noLocks @_noAllocation get { plan?.pointee.latency ?? 0 } }

    /// Whether there is anything that sound passes through.
    public var isActive: Bool {
        @_noLocks @_noAllocation get {
            guard let plan else { return false }
            return plan.pointee.places.count > 0
        }
    }

    /// Blocks that were replaced because they entered out of range.
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
        receive()
        run(left, right, frames: frames, tempo: tempo)
    }

    /// Receives new plans.
    @_noLocks @_noAllocation
    public mutating func receive() {
        while let coming = plans.receive() {
            if let plan { plans.giveBack(plan) }
            plan = coming
        }
    }

    /// Like ``process(_:_:frames:tempo:)``, with the present plan.
    @_noLocks @_noAllocation
    public mutating func run(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tempo: Float
    ) {
        guard isActive, let plan else { return }
        runner.process(plan.pointee, left, right, frames: frames, tempo: tempo)
    }
}
