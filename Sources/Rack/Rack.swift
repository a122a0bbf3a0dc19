internal import CRealtime
public import Effects
public import Parameters

/// Effects in rows and branches, and a limiter after all of them: a rack that is not edited while it sounds.
///
/// For one thread at a time; all memory is allocated when it is made.
public struct Rack: ~Copyable, Sendable {
    private let plan: RackPlan
    private let runner: RackRunner
    private var limiter: Limiter
    private var limit: Limiter.Settings
    private let tempo: Float

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - largestBlock: frames that one call of `process` handles at most.
    ///   - ceiling: of the limiter, decibels, -24 to 0.
    ///   - tempo: beats per minute, what effects that follow it go by.
    ///   - response: the impulse response that a slot names, at `rate`.
    public init(
        _ description: RackDescription, rate: Float, largestBlock: Int, ceiling: Float,
        tempo: Float = MetronomeParameter.tempo.spec.initial.numbers[0],
        response: @escaping (RackDescription.Slot) -> ResponseSpectra? = { _ in nil }
    ) {
        let builder = RackBuilder(rate: rate, largestBlock: largestBlock)
        builder.follow(RackModel(description), enters: false, response: response)
        plan = builder.plan()
        runner = RackRunner(rate: rate, largestBlock: largestBlock)
        limiter = Limiter(rate: rate, largestBlock: largestBlock)
        limit = Limiter.Settings()
        limit.ceiling = ceiling
        self.tempo = tempo
    }

    /// Samples by which the output is late.
    public var latency: Int { plan.latency + limiter.latency }

    /// Samples after the end of the input until the output is under -60 dB.
    public var tail: Int { plan.tail(tempo: tempo) }

    /// The limiter's largest reduction in the last block, decibels.
    public var reduction: Float { @_noLocks @_noAllocation get { limiter.reduction } }

    /// One block, in place.
    ///
    /// - Parameters:
    ///   - left, right: `frames` samples each, with room for whole lanes of 16.
    ///   - frames: at most the largest block.
    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
    ) {
        runner.process(plan, left, right, frames: frames, tempo: tempo)
        limiter.process(left, right, frames: frames, settings: limit)
    }
}
