internal import CRealtime
internal import DSP
public import Effects
public import Parameters
internal import RackCore

/// Effects in rows and branches, followed by an optional limiter, for offline use: the rack is not edited during playback.
///
/// For one thread at a time; the initializer allocates all memory.
public struct Rack: ~Copyable, Sendable {
    private let plan: RackPlan
    private var runner: RackRunner
    private let isLimited: Bool
    private var limiter: Limiter
    private var limit: Limiter.Settings
    private let tempo: Float

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - largestBlock: largest number of frames in one call of `process`.
    ///   - ceiling: ceiling of the limiter in dB, -24 to 0; nil for no limiter.
    ///   - tempo: beats per minute, for effects that follow it.
    ///   - response: returns the impulse response of a slot, at `rate`.
    public init(
        _ description: RackDescription, rate: Float, largestBlock: Int, ceiling: Float?,
        tempo: Float = MetronomeParameter.tempo.spec.initial.numbers[0],
        response: @escaping (RackDescription.Slot) -> ResponseSpectra? = { _ in nil }
    ) {
        let builder = RackBuilder(rate: rate, largestBlock: largestBlock)
        builder.follow(RackModel(description), enters: false, response: response)
        plan = builder.plan()
        runner = RackRunner(rate: rate, largestBlock: largestBlock)
        isLimited = ceiling != nil
        limiter = Limiter(rate: rate, largestBlock: largestBlock)
        limit = Limiter.Settings()
        limit.ceiling = ceiling ?? 0
        self.tempo = tempo
    }

    /// Latency of the output, samples.
    public var latency: Int { plan.arrangement.pointee.latency + (isLimited ? limiter.latency : 0) }

    /// Samples after the end of the input until the output is below -60 dB.
    public var tail: Int { plan.arrangement.pointee.tail(tempo: tempo) }

    /// Largest gain reduction of the limiter in the last block, dB.
    public var reduction: Float { @_noLocks @_noAllocation get { limiter.reduction } }

    /// Number of times that sound out of range was kept from the effects, or an effect was cleared because it had left the range.
    public var resets: Int { (runner.counts + plan.arrangement.pointee.counts).resets }

    /// Processes one block in place.
    ///
    /// - Parameters:
    ///   - left, right: `frames` samples each, with room for whole lanes of 16.
    ///   - frames: at most the largest block.
    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
    ) {
        let arrangement = plan.arrangement
        runner.process(&arrangement.pointee, left, right, frames: frames, tempo: tempo)
        if isLimited { limiter.process(left, right, frames: frames, settings: limit) }
    }
}
