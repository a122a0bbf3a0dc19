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
    private var microphoneLevels = Levels()
    /// All poses since the start: from the kernel's receipt of a pose to the output of the first sample rendered with it.
    public private(set) var motionToSoundHistogram = DurationHistogram(
        bounds: [0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2])
    /// Told everything that is reported, as it is collected; for those who want it at a rate of their own.
    public var tap: ((TelemetryDelta) -> Void)?
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
        collect()
        publishEngine()
        publishMicrophones()
        publishListeners()
        publishLatency(now)
    }

    /// A pose came through the hub.
    ///
    /// - Parameter id: of the pose; poses of trackers up to it are not published any more.
    public func supersede(listener: Int, id: UInt64) { listeners[listener].superseded = id }

    /// The part of ``publish(now:)`` that concerns heads, for what needs their poses sooner.
    public func publishListeners() {
        for listener in listeners { listener.publish() }
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

    /// Takes what has been reported. May be called as often as one likes; ``publish(now:)`` does it, too.
    public func collect() {
        var levels = Levels()
        while let frame = microphones.pop() {
            let channels = 0..<Int(frame.count)
            levels.add(
                Levels(peak: channels.map { frame.peak[$0] }, energy: channels.map { frame.energy[$0] }, frames: frame.frames))
        }
        microphoneLevels.add(levels)
        while let stamp = stamps.pop() {
            let milliseconds = Self.milliseconds(stamp.receiveTime, stamp.outputTime)
            motionToSound.add(milliseconds, at: stamp.blockTime)
            motionToSoundHistogram.add(Double(milliseconds) / 1000)
            waiting.add(Self.milliseconds(stamp.receiveTime, stamp.blockTime), at: stamp.blockTime)
        }
        let heard = listeners.map { $0.collect() }
        tap?(TelemetryDelta(engine: state, microphones: levels, listeners: heard))
    }

    private func publishMicrophones() {
        guard !microphoneLevels.isEmpty else { return }
        hub.publish(hub.tree.slot(MicrophoneMeter.peak), .vector(microphoneLevels.peak))
        hub.publish(hub.tree.slot(MicrophoneMeter.rms), .vector(microphoneLevels.rms))
        microphoneLevels = Levels()
    }

    /// Twice a second is often enough for percentiles.
    private func publishLatency(_ now: UInt64) {
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
