public import Crossing
internal import Parameters

/// Takes what the renderer reports and publishes it: levels, weights, load, latency, where the recording is.
///
/// Called some thirty times a second on the control thread.
public final class Telemetry {
    /// Seconds over which latency is summed up.
    static let span = 5.0

    private let hub: Hub
    private let rate: Double
    private let period: Int
    private var engine: Latest<EngineFrame>.Reader
    private var microphones: Ring<MicrophoneFrame>.Consumer
    private var stamps: Ring<LatencyStamp>.Consumer
    private var listeners: [ListenerTelemetry]
    private var motionToSound = Percentiles()
    private var waiting = Percentiles()
    private var last = EngineFrame()
    private var lastSummary: UInt64 = 0
    /// What the renderer says of itself now.
    public var state: EngineFrame { engine.read() }

    /// - Parameters:
    ///   - rate: frames per second; `period`: frames per block.
    ///   - listeners: the meters of each listener, in order.
    public init(
        hub: Hub, rate: Double, period: Int, engine: consuming Latest<EngineFrame>.Reader,
        microphones: consuming Ring<MicrophoneFrame>.Consumer, stamps: consuming Ring<LatencyStamp>.Consumer,
        listeners: [Parcel<Ring<ListenerFrame>.Consumer>]
    ) {
        self.hub = hub
        self.rate = rate
        self.period = period
        self.engine = engine
        self.microphones = microphones
        self.stamps = stamps
        self.listeners = listeners.enumerated().map { ListenerTelemetry(hub: hub, index: $0.offset, meters: $0.element.take()) }
        hub.publish(hub.tree.slot(EngineParameter.rate), .number(Float(rate)))
        hub.publish(hub.tree.slot(EngineParameter.period), .number(Float(period)))
    }

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public func publish(now: UInt64) {
        publishEngine()
        publishMicrophones()
        for listener in listeners { listener.publish() }
        publishLatency(now)
    }

    private func publishEngine() {
        let state = state
        let tree = hub.tree
        let nanosecondsPerBlock = 1e9 * Double(period) / rate
        let blocks = state.blocks - last.blocks
        if blocks > 0 {
            let load = Double(state.busy - last.busy) / (Double(blocks) * nanosecondsPerBlock)
            hub.publish(tree.slot(EngineParameter.load), .number(Self.rounded(load)))
            hub.publish(tree.slot(EngineParameter.worst), .number(Self.rounded(Double(state.worst) / nanosecondsPerBlock)))
        }
        hub.publish(tree.slot(EngineParameter.xruns), .number(Float(state.xruns)))
        hub.publish(tree.slot(EngineParameter.dropouts), .number(Float(state.dropouts)))
        last = state
    }

    /// Three decimals are what a person can read of a share, and spare the network the rest.
    private static func rounded(_ share: Double) -> Float { Float((share * 1000).rounded() / 1000) }

    private func publishMicrophones() {
        var peak = [Float](repeating: 0, count: 64)
        var energy = peak
        var frames: Int32 = 0
        var count = 0
        while let frame = microphones.pop() {
            count = Int(frame.count)
            frames += frame.frames
            for i in 0..<count {
                peak[i] = max(peak[i], frame.peak[i])
                energy[i] += frame.energy[i]
            }
        }
        guard frames > 0 else { return }
        hub.publish(hub.tree.slot(MicrophoneMeter.peak), .vector(Array(peak[..<count])))
        let rms = energy[..<count].map { ($0 / Float(frames)).squareRoot() }
        hub.publish(hub.tree.slot(MicrophoneMeter.rms), .vector(rms))
    }

    /// Twice a second is often enough for percentiles.
    private func publishLatency(_ now: UInt64) {
        while let stamp = stamps.pop() {
            motionToSound.add(Self.milliseconds(stamp.receiveTime, stamp.outputTime), at: stamp.blockTime)
            waiting.add(Self.milliseconds(stamp.receiveTime, stamp.blockTime), at: stamp.blockTime)
        }
        guard now - lastSummary >= 500_000_000 else { return }
        lastSummary = now
        let oldest = now - min(now, UInt64(Self.span * 1e9))
        motionToSound.forget(before: oldest)
        waiting.forget(before: oldest)
        let tree = hub.tree
        hub.publish(tree.slot(LatencyParameter.motionToSound), .vector(Self.hundredths(motionToSound.summary)))
        hub.publish(tree.slot(LatencyParameter.waiting), .vector(Self.hundredths(waiting.summary)))
        hub.publish(tree.slot(LatencyParameter.poses), .number(Float(Double(motionToSound.count) / Self.span)))
    }

    /// Ten microseconds are finer than anybody reads.
    private static func hundredths(_ values: [Float]) -> [Float] { values.map { ($0 * 100).rounded() / 100 } }

    private static func milliseconds(_ from: UInt64, _ to: UInt64) -> Float { Float(Double(Int64(to) - Int64(from)) / 1e6) }
}
