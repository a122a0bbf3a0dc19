internal import CRealtime
public import Crossing
public import Hub
internal import Parameters
internal import Trust

/// Makes the frames of `vestibule.telemetry.v1`: one for each topic, rate and ``TelemetryGroup``, whoever gets it.
///
/// Lives on the loop. Nothing is gathered while nobody has subscribed.
public final class TelemetryService {
    static let protocolName = "vestibule.telemetry.v1"
    /// Frames a second that may be asked for.
    static let rates = 1...120
    /// Microseconds after which the renderer is asked again for something that is due.
    static let patience: UInt64 = 2000

    /// Of this run of the program: sequence numbers of another one mean nothing.
    let stream = String(Secret.random().prefix(16))
    private let hub: Hub
    private let begin = rt_now()
    private var groups: [TelemetryGroup] = []
    private var log = LogTail()
    private var before: EngineReading?
    /// When the renderer was last asked, CLOCK_MONOTONIC nanoseconds.
    private var collected: UInt64 = 0
    /// The newest of each listener.
    private var poses: [PoseReading] = []
    /// When each pose was received, CLOCK_MONOTONIC nanoseconds.
    private var received: [UInt64] = []

    /// Asks for what the renderer has reported: it comes through ``take(_:)``, before this returns.
    public var collect: () -> Void = {}
    /// All motion-to-sound latencies since the start.
    public var histogram: () -> DurationHistogram = { DurationHistogram(bounds: []) }
    /// Of each listener, stage by stage.
    public var latencies: () -> [ListenerLatencyReading] = { [] }
    /// What the renderer says of itself now.
    public var engine: () -> EngineFrame = { EngineFrame() }
    /// Who is connected.
    var clients: () -> [ClientReading] = { [] }
    /// Told when a client subscribes to what nobody else gets, so that ``tick()`` is due soon, and when the last has gone.
    var onDemand: (Bool) -> Void = { _ in }

    init(hub: Hub) { self.hub = hub }

    /// A line of the log.
    public func note(_ text: String) { log.add(text) }

    // MARK: Who gets what

    func subscribe(_ client: TelemetryClient, _ topic: TelemetryTopic, rate: Int) {
        let now = rt_now()
        unsubscribe(client, [topic])
        let alike = groups.filter { $0.topic == topic && $0.rate == rate }
        let known = alike.first { $0.clients.count < TelemetryGroup.mostClients }
        let free = (0...alike.count).first { number in !alike.contains { $0.number == number } }
        let group = known ?? make(topic, rate, number: free ?? alike.count, now)
        group.add(client)
        if known == nil { onDemand(true) }
        // What is comes at once, what happens with the next frame.
        guard topic.isState, let content = state(topic, after: 0) else { return }
        if group.last == nil, topic != .log { group.last = content }
        client.offer(TelemetryFrame(topic, sequence: group.sequence, time: now, content, isSnapshot: true))
    }

    private func make(_ topic: TelemetryTopic, _ rate: Int, number: Int, _ now: UInt64) -> TelemetryGroup {
        let group = TelemetryGroup(topic, rate: rate, number: number, elapsed: now - begin)
        group.lastLine = log.last
        groups.append(group)
        return group
    }

    func unsubscribe(_ client: TelemetryClient, _ topics: [TelemetryTopic]) {
        guard !groups.isEmpty else { return }
        for group in groups where topics.contains(group.topic) { group.remove(client) }
        groups.removeAll { $0.clients.isEmpty }
        guard groups.isEmpty else { return }
        before = nil
        onDemand(false)
    }

    // MARK: What is gathered

    /// What the renderer has reported.
    public func take(_ delta: TelemetryDelta) {
        keep(delta.listeners)
        guard !groups.isEmpty else { return }
        let meters = MeterReading(
            microphones: delta.microphones, listeners: delta.listeners.map(\.levels), slots: delta.slots)
        let engine = reading(delta)
        for group in groups {
            switch group.topic {
            case .meters where !meters.isEmpty: gather(group, .meters(meters))
            case .engine where engine.rendered > 0: gather(group, .engine(engine))
            case .poses where !meters.isEmpty: group.gathered = .poses([])
            default: break
            }
        }
    }

    private func gather(_ group: TelemetryGroup, _ content: TelemetryContent) {
        group.gathered = group.gathered.map { content.following($0) } ?? content
    }

    private func reading(_ delta: TelemetryDelta) -> EngineReading {
        let tree = hub.tree
        let frames = hub.value(tree.slot(EngineParameter.period)).numbers[0]
        let rate = hub.value(tree.slot(EngineParameter.rate)).numbers[0]
        var reading = EngineReading(
            blocks: delta.engine.blocks, samples: delta.engine.samples, xruns: delta.engine.xruns,
            dropouts: delta.engine.dropouts, busy: delta.engine.busy, rendered: delta.engine.blocks,
            worst: delta.engine.worst, period: Double(frames / rate) * 1e9)
        let whole = reading
        reading.busy -= before?.busy ?? reading.busy
        reading.rendered -= before?.rendered ?? reading.rendered
        before = whole
        return reading
    }

    private func keep(_ listeners: [TelemetryDelta.Listener]) {
        if poses.count != listeners.count {
            poses = .init(repeating: PoseReading(quaternion: .init(1, 0, 0, 0), id: 0, age: -1), count: listeners.count)
            received = .init(repeating: 0, count: listeners.count)
        }
        for (index, listener) in listeners.enumerated() {
            guard let pose = listener.pose else { continue }
            poses[index] = PoseReading(quaternion: pose.quaternion, id: pose.id, age: -1)
            received[index] = pose.id == 0 ? 0 : pose.receiveTime
        }
    }

    // MARK: What is sent

    /// Sends what is due.
    /// - Returns: microseconds until something is due again.
    func tick() -> Int {
        let now = rt_now()
        if now - collected >= Self.patience * 1000 {
            collected = now
            collect()
        }
        for group in groups {
            // What has nothing to say yet is due as soon as it has: no period is lost to the renderer's own rhythm.
            guard group.topic.isState || group.gathered != nil, group.isDue(now - begin) else { continue }
            guard let content = content(group, now) else { continue }
            group.offer(TelemetryFrame(group.topic, sequence: group.sequence, time: now, content))
        }
        return wait(now - begin)
    }

    /// What is due and has nothing to say is asked again soon.
    private func wait(_ elapsed: UInt64) -> Int {
        let next = groups.lazy.map(\.nextDue).min() ?? 0
        return next > elapsed ? Int(clamping: (next - elapsed) / 1000 + 1) : Int(Self.patience)
    }

    private func content(_ group: TelemetryGroup, _ now: UInt64) -> TelemetryContent? {
        guard group.topic.isState else {
            defer { group.gathered = nil }
            return group.topic == .poses && group.gathered != nil ? .poses(aged(now)) : group.gathered
        }
        guard let content = state(group.topic, after: group.lastLine), content != group.last else { return nil }
        if case .log(let lines) = content, lines.isEmpty { return nil }
        if group.topic == .log { group.lastLine = log.last } else { group.last = content }
        return content
    }

    /// Seconds since the pose of each listener was received; nil for the pose nobody sent.
    var poseAges: [Double?] { aged(rt_now()).map { $0.age < 0 ? nil : Double($0.age) / 1000 } }

    private func aged(_ now: UInt64) -> [PoseReading] {
        zip(poses, received).map { pose, time in
            var pose = pose
            if time > 0 { pose.age = Float(Double(now - min(now, time)) / 1e6) }
            return pose
        }
    }

    /// What a topic that is state says now.
    /// - Parameter line: of the log, what comes after it.
    private func state(_ topic: TelemetryTopic, after line: Int) -> TelemetryContent? {
        let tree = hub.tree
        switch topic {
        case .latency:
            return .latency(
                LatencyReading(
                    motionToSound: hub.value(tree.slot(LatencyParameter.motionToSound)).numbers,
                    waiting: hub.value(tree.slot(LatencyParameter.waiting)).numbers,
                    poses: hub.value(tree.slot(LatencyParameter.poses)).numbers[0], histogram: histogram(),
                    listeners: latencies()))
        case .transport:
            let state = tree.nodes[tree.slot(TransportParameter.state)]
            guard case .string(let name)? = state.spec.arguments(hub.value(state.slot)).first else { return nil }
            return .transport(
                TransportReading(
                    state: name, loop: hub.value(tree.slot(TransportParameter.loop)) == .number(1),
                    position: hub.value(tree.slot(TransportParameter.position)).numbers[0],
                    duration: hub.value(tree.slot(TransportParameter.duration)).numbers[0],
                    recording: hub.value(tree.slot(SessionParameter.recording)).text ?? ""))
        case .trackers: return .trackers(trackers())
        case .clients: return .clients(clients())
        case .log: return .log(log.after(line))
        case .meters, .engine, .poses: return nil
        }
    }

    /// The trackers that are attached, as their parameters say.
    private func trackers() -> [TrackerReading] {
        (0..<hub.tree.trackers).compactMap { number in
            func value(_ parameter: TrackerParameter) -> ParameterValue { hub.value(hub.tree.slot(parameter, number)) }
            func first(_ parameter: TrackerParameter) -> Float { value(parameter).numbers.first ?? 0 }
            guard let source = value(.source).text, !source.isEmpty else { return nil }
            let pose = value(.pose).numbers
            let states = TrackerParameter.states
            return TrackerReading(
                number: number + 1, source: source, listener: Int(first(.listener)),
                state: states[min(max(Int(first(.state)), 0), states.count - 1)], inCharge: first(.inCharge) != 0,
                rate: first(.rate), age: first(.age), yaw: pose[0], pitch: pose[1], roll: pose[2],
                correction: first(.correction), problem: value(.problem).text ?? "")
        }
    }
}
