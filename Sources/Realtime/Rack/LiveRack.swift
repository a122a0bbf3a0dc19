public import Crossing
public import DSP
internal import RackCore

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
