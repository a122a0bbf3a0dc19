internal import CRealtime
internal import Crossing
internal import Effects
internal import Parameters
internal import Rack

/// From a listener's two ears to what is heard: the rack on the recording, the live input, the rack on everything, the
/// level, and the limiter that protects the ear.
struct OutputChain: ~Copyable, Sendable {
    private var recording: LiveRack
    private var output: LiveRack
    private var limiter: Limiter
    private var limit = Limiter.Settings()
    private let protection: Protection
    /// Whether the limiter was at work in the last block.
    private var isProtected: Bool
    /// Frames until plans are looked for again.
    private var untilLook = 0
    private let owner: SharedRow
    private let meters: SharedRow.View

    /// - Parameters:
    ///   - protection: when the limiter is at work.
    ///   - meters: the limiter's reduction, decibels.
    init(
        recording: consuming Handover<RackPlan>.Realtime, output: consuming Handover<RackPlan>.Realtime, rate: Float,
        period: Int, protection: Protection, meters: SharedRow
    ) {
        self.recording = LiveRack(plans: recording, rate: rate, largestBlock: period)
        self.output = LiveRack(plans: output, rate: rate, largestBlock: period)
        limiter = Limiter(rate: rate, largestBlock: period)
        self.protection = protection
        isProtected = protection == .always
        owner = meters
        self.meters = meters.view
    }

    /// Samples that the limiter adds.
    static func protectionLatency(rate: Float) -> Int { Limiter(rate: rate, largestBlock: 16).latency }

    /// Samples by which what is heard of the recording is late here.
    var latency: Int {
        @_noLocks @_noAllocation get {
            recording.latency &+ inputLatency
        }
    }

    /// Samples by which live input is late here.
    var inputLatency: Int {
        @_noLocks @_noAllocation get { output.latency &+ (isProtected ? limiter.latency : 0) }
    }

    /// One block, in place.
    ///
    /// - Parameters:
    ///   - input: live input to be added, both sides; nil when there is none.
    ///   - gains: level just before the first frame, and at the last.
    ///   - ceiling: a factor.
    ///   - tempo: beats per minute.
    ///   - isHeard: whether somebody listens over the network.
    @_noLocks @_noAllocation
    mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int,
        input: InputView?, gains: (from: Float, to: Float), ceiling: Float,
        tempo: Float, isHeard: Bool
    ) {
        lookForPlans(frames)
        recording.run(left, right, frames: frames, tempo: tempo)
        if let input {
            for i in 0..<frames {
                left[i] += input.left[i]
                right[i] += input.right[i]
            }
        }
        output.run(left, right, frames: frames, tempo: tempo)
        scale(left, right, frames, gains)
        let wasProtected = isProtected
        isProtected =
            switch protection {
            case .none: false
            case .whenHeard: isHeard
            case .always: true
            }
        guard isProtected else { return }
        if !wasProtected { limiter.reset() }
        limit.ceiling = max(Self.lowestCeiling, 20 * rt_log10(max(1e-6, ceiling)))
        limiter.process(left, right, frames: frames, settings: limit)
        meters.raise(0, to: limiter.reduction)
    }

    /// Not in every block: where plans come from is memory that nobody touched lately.
    @_noLocks @_noAllocation
    private mutating func lookForPlans(_ frames: Int) {
        untilLook = untilLook &- frames
        guard untilLook <= 0 else { return }
        untilLook = 1024
        recording.receive()
        output.receive()
    }

    /// Decibels.
    private static var lowestCeiling: Float { @_noLocks @_noAllocation get { -24 } }

    @_noLocks @_noAllocation
    private func scale(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
        _ gains: (from: Float, to: Float)
    ) {
        guard gains.from != 1 || gains.to != 1 else { return }
        let step = (gains.to - gains.from) / Float(frames)
        for i in 0..<frames {
            let gain = gains.from + step * Float(i &+ 1)
            left[i] *= gain
            right[i] *= gain
        }
    }
}
