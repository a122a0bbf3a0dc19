public import Crossing
internal import Parameters

/// Takes what the renderer reports and publishes it: levels, weights, load, latency, where the recording is.
///
/// Called some thirty times a second on the control thread.
public final class Telemetry {
    private let hub: Hub
    private let rate: Double
    private let period: Int
    private var engine: Latest<EngineFrame>.Reader
    private var microphones: Ring<MicrophoneFrame>.Consumer
    private var stamps: Ring<LatencyStamp>.Consumer
    private var listeners: [ListenerTelemetry]
    private var latencies: [ListenerLatencies]
    private var motionToSound = SlidingHistogram()
    private var waiting = SlidingHistogram()
    private var poses = 0
    private var last = EngineFrame()
    private var lastSummary: UInt64 = 0
    private var microphoneLevels = Levels()
    /// All poses since the start: from the kernel's receipt of a pose to the output of the first sample rendered with it.
    public private(set) var motionToSoundHistogram = DurationHistogram(
        bounds: [0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2])
    /// Told everything that is reported, as it is collected; for those who want it at a rate of their own.
    public var tap: ((TelemetryDelta) -> Void)?
    /// What the effects' meters have shown since this was last called.
    public var slots: () -> [TelemetryDelta.Slot] = { [] }
    /// What the renderer says of itself now.
    public var state: EngineFrame { engine.read() }

    /// - Parameters:
    ///   - rate: frames per second; `period`: frames per block.
    ///   - listeners: the meters of each listener, in order.
    ///   - arrivals: of all inlets of each listener, likewise.
    public init(
        hub: Hub, rate: Double, period: Int, engine: consuming Latest<EngineFrame>.Reader,
        microphones: consuming Ring<MicrophoneFrame>.Consumer, stamps: consuming Ring<LatencyStamp>.Consumer,
        listeners: [Parcel<Ring<ListenerFrame>.Consumer>], arrivals: [[PoseArrivals]]
    ) {
        self.hub = hub
        self.rate = rate
        self.period = period
        self.engine = engine
        self.microphones = microphones
        self.stamps = stamps
        latencies = arrivals.map { ListenerLatencies($0) }
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
        var ways: [LatencyStamp] = []
        while let stamp = stamps.pop() {
            if tap != nil { ways.append(stamp) }
            let whole = Int64(bitPattern: stamp.outputTime &- stamp.receiveTime)
            motionToSound.add(whole, at: stamp.blockTime)
            motionToSoundHistogram.add(Double(whole) / 1e9)
            waiting.add(Int64(bitPattern: stamp.blockTime &- stamp.receiveTime), at: stamp.blockTime)
            poses += 1
            if latencies.indices.contains(Int(stamp.listener)) { latencies[Int(stamp.listener)].add(stamp) }
        }
        let heard = listeners.map { $0.collect() }
        tap?(TelemetryDelta(engine: state, microphones: levels, listeners: heard, stamps: ways, slots: slots()))
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
        let seconds = lastSummary == 0 ? 0 : Double(now - lastSummary) / 1e9
        lastSummary = now
        let tree = hub.tree
        hub.publish(
            tree.slot(LatencyParameter.motionToSound), .vector(Self.hundredths(motionToSound.sum(at: now).summary)))
        hub.publish(tree.slot(LatencyParameter.waiting), .vector(Self.hundredths(waiting.sum(at: now).summary)))
        hub.publish(
            tree.slot(LatencyParameter.poses), .number(seconds > 0 ? (Float(Double(poses) / seconds) * 10).rounded() / 10 : 0))
        poses = 0
        for index in latencies.indices { latencies[index].publish(hub, listener: index, now: now) }
    }

    /// Of each listener, as published last.
    public var listenerLatencies: [ListenerLatencyReading] { latencies.map(\.reading) }

    /// Ten microseconds are finer than anybody reads.
    private static func hundredths(_ values: [Float]) -> [Float] { values.map { ($0 * 100).rounded() / 100 } }
}
