public import Crossing

/// The realtime end of a rack that is edited while it plays: takes plans as they come and runs the newest.
public struct LiveRack: ~Copyable, Sendable {
    private var plans: Handover<RackPlan>.Realtime
    // SAFETY: what the handover lent; this value alone holds it and gives it back.
    private nonisolated(unsafe) var plan: UnsafeMutablePointer<RackPlan>?
    private let runner: RackRunner

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - largestBlock: frames that one call of `process` handles at most.
    public init(plans: consuming Handover<RackPlan>.Realtime, rate: Float, largestBlock: Int) {
        self.plans = plans
        runner = RackRunner(rate: rate, largestBlock: largestBlock)
    }

    // SAFETY: a renderer ends on the control side, when nothing is given back any more.
    deinit {
        plan?.deinitialize(count: 1)
        plan?.deallocate()
    }

    /// Samples by which what leaves it is late.
    public var latency: Int { @_noLocks @_noAllocation get { plan?.pointee.latency ?? 0 } }

    /// One block, in place.
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

    /// Takes new plans.
    @_noLocks @_noAllocation
    public mutating func receive() {
        while let coming = plans.receive() {
            if let plan { plans.giveBack(plan) }
            plan = coming
        }
    }

    /// As ``process(_:_:frames:tempo:)``, by the plan there is.
    @_noLocks @_noAllocation
    public mutating func run(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tempo: Float
    ) {
        guard let plan, plan.pointee.places.count > 0 else { return }
        runner.process(plan.pointee, left, right, frames: frames, tempo: tempo)
    }
}
