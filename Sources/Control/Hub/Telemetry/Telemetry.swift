public import Crossing
internal import Parameters
public import Pose
public import RenderInterface

/// Publishes the renderer's reports through the hub: levels, weights, load, latency.
///
/// Called about thirty times a second on the control thread.
public final class Telemetry {
    private let hub: Hub
    private let rate: Double
    private var engine: Latest<EngineFrame>.Reader
    private var microphones: Ring<MicrophoneFrame>.Consumer
    /// Stamps of the audio thread, then of each worker.
    private var stamps: [StampQueue]
    private var listeners: [ListenerTelemetry]
    private var latencies: [ListenerLatencies]
    private var motionToSound = SlidingHistogram()
    private var waiting = SlidingHistogram()
    private var poses = 0
    /// Number of publications.
    private var round = 0
    private var last = EngineFrame()
    private var lastSummary: UInt64 = 0
    private var microphoneLevels = Levels()
    /// Time from the kernel's receipt of a pose to the output of the first sample rendered with it, for all poses since the start.
    public private(set) var motionToSoundHistogram = DurationHistogram(
        bounds: [0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2])
    /// Receives every report as it is collected, for consumers with a rate of their own.
    public var tap: ((TelemetryDelta) -> Void)?
    /// Returns the readings of the effects' meters since the last call.
    public var slots: () -> [TelemetryDelta.Slot] = { [] }
    /// Listener, counted from 0, for which reports that depend on its sound are suppressed, since a listening test compares sounds there;
    /// nil for none. Its levels read as silence; rendering time, which all listeners share, is not reported.
    public var blinded: Int? {
        didSet {
            guard blinded != oldValue else { return }
            frozen = blinded == nil ? nil : frozen ?? engine.read()
            for listener in listeners.indices { listeners[listener].isBlinded = listener == blinded }
        }
    }
    /// State when the listening test began.
    private var frozen: EngineFrame?
    /// Current state of the renderer.
    public var state: EngineFrame { engine.read() }
    /// Current state of the renderer for reports: during a listening test, the time that rendering has taken stands still.
    public var reportedState: EngineFrame {
        var state = state
        if let frozen { (state.busy, state.durations, state.worst) = (frozen.busy, frozen.durations, 0) }
        return state
    }

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - period: frames per block at the start.
    ///   - stamps: of each thread that renders.
    ///   - listeners: meters of each listener of the device, in order.
    ///   - arrivals: pose arrivals at each receiver of each possible listener, in order.
    public init(
        hub: Hub, rate: Double, period: Int, engine: consuming Latest<EngineFrame>.Reader,
        microphones: consuming Ring<MicrophoneFrame>.Consumer, stamps: [Parcel<Ring<LatencyStamp>.Consumer>],
        listeners: [Parcel<Ring<ListenerFrame>.Consumer>], arrivals: [[PoseArrivals]]
    ) {
        self.hub = hub
        self.rate = rate
        self.engine = engine
        self.microphones = microphones
        self.stamps = stamps.map { StampQueue($0.take()) }
        latencies = arrivals.map { ListenerLatencies($0) }
        self.listeners = listeners.enumerated().map { ListenerTelemetry(hub: hub, index: $0.offset, meters: $0.element.take()) }
        hub.publish(hub.tree.index(EngineParameter.rate), .number(Float(rate)))
        hub.publish(hub.tree.index(EngineParameter.period), .number(Float(period)))
    }

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public func publish(now: UInt64) {
        collect()
        publishEngine()
        publishMicrophones()
        publishListeners()
        publishLatency(now)
    }

    /// Notes a pose that was set through the hub.
    ///
    /// - Parameter id: of the pose; earlier poses of trackers are not published any more.
    public func supersede(listener: Int, id: UInt64) { listeners[listener].superseded = id }

    /// Adds a listener to the reports.
    public func addListener(_ meters: consuming Ring<ListenerFrame>.Consumer) {
        listeners.append(ListenerTelemetry(hub: hub, index: listeners.count, meters: meters))
    }

    /// Publishes the listeners' part of ``publish(now:)``, for callers that need the current poses at once.
    public func publishListeners() {
        round += 1
        for (index, listener) in listeners.enumerated() where hub.tree.isPresent[index] {
            // Listeners that are in no list are read by few clients, a page at a time.
            if index < hub.tree.mostListed || (index + round).isMultiple(of: 8) { listener.publish() }
        }
    }

    private func publishEngine() {
        let state = state
        let tree = hub.tree
        let blocks = state.blocks - last.blocks
        if blinded != nil {
            hub.publish(tree.index(EngineParameter.load), .number(0))
            hub.publish(tree.index(EngineParameter.worst), .number(0))
        } else if blocks > 0 {
            // A device may change the length of its blocks.
            let nanosecondsPerBlock = 1e9 * Double(state.samples - last.samples) / rate / Double(blocks)
            let load = Double(state.busy - last.busy) / (Double(blocks) * nanosecondsPerBlock)
            hub.publish(tree.index(EngineParameter.load), .number(Self.rounded(load)))
            hub.publish(tree.index(EngineParameter.worst), .number(Self.rounded(Double(state.worst) / nanosecondsPerBlock)))
        }
        hub.publish(tree.index(EngineParameter.xruns), .number(Float(state.xruns)))
        hub.publish(tree.index(EngineParameter.limited), .number(Float(state.limited)))
        hub.publish(tree.index(EngineParameter.dropouts), .number(Float(state.dropouts)))
        last = state
    }

    /// Rounds to three decimals: more cannot be read and would only load the network.
    private static func rounded(_ share: Double) -> Float { Float((share * 1000).rounded() / 1000) }

    /// Reads all waiting reports. May be called at any rate; ``publish(now:)`` calls it as well.
    public func collect() {
        var levels = Levels()
        while let frame = microphones.pop() {
            let channels = 0..<Int(frame.count)
            levels.add(
                Levels(peak: channels.map { frame.peak[$0] }, energy: channels.map { frame.energy[$0] }, frames: frame.frames))
        }
        microphoneLevels.add(levels)
        var taken: [LatencyStamp] = []
        for queue in stamps {
            while var stamp = queue.pop() {
                if blinded != nil { stamp.renderedTime = stamp.blockTime }
                if tap != nil { taken.append(stamp) }
                note(stamp)
            }
        }
        let listed = hub.tree.mostListed
        let heard = listeners.prefix(listed).map { $0.collect() }
        for listener in listeners.dropFirst(listed) where listener.hasReports { _ = listener.collect() }
        tap?(TelemetryDelta(engine: reportedState, microphones: levels, listeners: heard, stamps: taken, slots: slots()))
    }

    private func note(_ stamp: LatencyStamp) {
        let whole = Int64(bitPattern: stamp.outputTime &- stamp.receiveTime)
        motionToSound.add(whole, at: stamp.blockTime)
        motionToSoundHistogram.add(Double(whole) / 1e9)
        waiting.add(Int64(bitPattern: stamp.blockTime &- stamp.receiveTime), at: stamp.blockTime)
        poses += 1
        if latencies.indices.contains(Int(stamp.listener)) { latencies[Int(stamp.listener)].add(stamp) }
    }

    private func publishMicrophones() {
        guard !microphoneLevels.isEmpty else { return }
        hub.publish(hub.tree.index(MicrophoneMeter.peak), .vector(microphoneLevels.peak))
        hub.publish(hub.tree.index(MicrophoneMeter.rms), .vector(microphoneLevels.rms))
        microphoneLevels = Levels()
    }

    /// Publishes percentiles, twice a second at most.
    private func publishLatency(_ now: UInt64) {
        guard now >= lastSummary + 500_000_000 else { return }
        let seconds = lastSummary == 0 ? 0 : Double(now - lastSummary) / 1e9
        lastSummary = now
        let tree = hub.tree
        hub.publish(
            tree.index(LatencyParameter.motionToSound), .vector(Self.hundredths(motionToSound.sum(at: now).summary)))
        hub.publish(tree.index(LatencyParameter.waiting), .vector(Self.hundredths(waiting.sum(at: now).summary)))
        hub.publish(
            tree.index(LatencyParameter.poses), .number(seconds > 0 ? (Float(Double(poses) / seconds) * 10).rounded() / 10 : 0))
        poses = 0
        for index in latencies.indices { latencies[index].publish(hub, listener: index, now: now) }
    }

    /// Latencies of each listener, as published last.
    public var listenerLatencies: [ListenerLatencyReading] {
        let last = hub.tree.isPresent.lastIndex(of: true) ?? 0
        return latencies.prefix(min(hub.tree.mostListed, last + 1)).map(\.reading)
    }

    /// Latencies of one listener, as published last.
    /// - Parameter index: from 0.
    public func latency(ofListener index: Int) -> ListenerLatencyReading { latencies[index].reading }

    /// Rounds milliseconds to two decimals.
    private static func hundredths(_ values: [Float]) -> [Float] { values.map { ($0 * 100).rounded() / 100 } }
}

/// Stamps of the poses that one thread has rendered.
final class StampQueue {
    private var stamps: Ring<LatencyStamp>.Consumer

    init(_ stamps: consuming Ring<LatencyStamp>.Consumer) { self.stamps = stamps }

    func pop() -> LatencyStamp? { stamps.pop() }
}
