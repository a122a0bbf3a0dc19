internal import CRealtime
internal import Glibc
public import Hub
internal import Parameters

/// An engine's place at an MQTT broker: publishes its state and telemetry, and takes commands.
///
/// Used on the control thread only, which never waits for the broker: a thread of its own talks to it, and both meet in a mailbox.
public final class MQTTBridge {
    /// Milliseconds between two calls of ``tick(now:)``.
    public static let interval = 10
    /// Calls of ``tick(now:)`` between levels, and between latencies.
    private static let levelsTicks = 10
    private static let latencyTicks = 100
    /// Nanoseconds that commands may take before other work has its turn.
    private static let turn: UInt64 = 4_000_000
    /// Seconds without an answer after which a broker is reported.
    private static let patience: UInt64 = 10_000_000_000
    /// Nanoseconds after which a connection holds: a problem that comes then is reported even if it was the last one.
    private static let steady: UInt64 = 10_000_000_000
    private static let mostTold = 16

    private let settings: MQTTSettings
    private let hub: Hub
    private let mailbox: MQTTMailbox
    private let thread: MQTTThread
    private let states: MQTTStates
    private let telemetry: MQTTTelemetry
    private let changes: MQTTChanges
    private let wake: @Sendable () -> Void
    private let homie: HomieBridge?
    private let follower: MQTTFollower?
    private let shared: SharedScene
    private var commands: MQTTCommands!
    private var waiting: ArraySlice<MQTTArrival> = []
    private var (published, received, dropped, losses) = (0, 0, 0, 0)
    private var ticks = 0
    private var connecting: UInt64?
    /// CLOCK_MONOTONIC nanoseconds; nil without a connection.
    private var connectedSince: UInt64?
    private var isConnected: Bool { connectedSince != nil }
    /// The problems that were reported, and whether the connection was; both are repeated only after a connection has held.
    private var told: Set<String> = []
    private var hasToldConnection = false
    private var dropsReported = MessageBudget(rate: 1, now: rt_now())

    /// - Parameters:
    ///   - mirror: takes what an engine that is followed has; it is not asked without one.
    ///   - scene: what other engines may take over from this one.
    ///   - wake: makes the control thread call ``take()``; called on any thread.
    public init(
        _ settings: MQTTSettings, hub: Hub, mirror: any EngineMirror, scene: any SharedEngine, wake: @escaping @Sendable () -> Void
    ) {
        (self.settings, self.hub, self.wake) = (settings, hub, wake)
        mailbox = MQTTMailbox(wakeControl: wake)
        thread = MQTTThread(settings, mailbox)
        // Microseconds since 1970 are ahead of every earlier run.
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        states = MQTTStates(hub, settings.topics, revision: UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec / 1000))
        telemetry = MQTTTelemetry(hub: hub)
        follower = settings.leader.map { MQTTFollower(settings, leader: $0, hub: hub, mirror: mirror, wake: wake) }
        shared = SharedScene(scene, settings.topics)
        changes = MQTTChanges(hub)
        homie = settings.isHomie ? HomieBridge(settings, hub: hub, wake: wake) : nil
        commands = MQTTCommands(hub, settings.topics, states) { [unowned self] in offer($0) }
        commands.onRefusal = { [unowned self] in publish(.refused, commands.refused) }
        hub.publish(hub.tree.index(MQTTParameter.broker), .text(settings.broker.description))
    }

    public func start() {
        thread.start()
        homie?.start()
        follower?.start()
    }

    /// Ends the connection; the broker publishes that the engine is gone.
    public func stop() {
        thread.stop()
        homie?.stop()
        follower?.stop()
    }

    /// Applies what has come from the broker. Call after each wake.
    public func take() {
        let delivery = mailbox.take(withArrivals: waiting.isEmpty)
        for event in delivery.events { handle(event) }
        states.note(found: delivery.found)
        report(dropped: delivery.dropped)
        if !delivery.arrivals.isEmpty { waiting = delivery.arrivals[...] }
        received += delivery.arrivals.count
        let end = rt_now() + Self.turn
        while let arrival = waiting.popFirst() {
            commands.handle(arrival)
            guard rt_now() < end else { break }
        }
        follower?.take()
        let hasMore = homie?.take() == true
        if hasMore || !waiting.isEmpty { wake() }
        if !delivery.arrivals.isEmpty { publish(.received, received) }
    }

    /// Publishes what has changed. Call every ``interval`` milliseconds.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public func tick(now: UInt64) {
        if let connecting, now > connecting + Self.patience {
            set("the broker does not answer: check the address in --mqtt, and firewalls between")
        }
        homie?.tick(now: now)
        follower?.tick(now: now)
        guard let connectedSince else { return }
        if now > connectedSince + Self.steady { (told, hasToldConnection) = ([], false) }
        states.publish(now: now, offer)
        if let changed = changes.take(now: now) { offerTelemetry(settings.topics.changes, changed, expiry: MQTTChanges.expiry) }
        ticks += 1
        shared.publish(now: now, offer)
        if let refusal = shared.takeRefusal() { hub.notice("MQTT: \(refusal)") }
        if ticks.isMultiple(of: Self.levelsTicks) {
            offerTelemetry(settings.topics.levels, telemetry.levels, expiry: MQTTTelemetry.levelsExpiry)
        }
        if ticks.isMultiple(of: Self.latencyTicks) {
            offerTelemetry(settings.topics.latency, telemetry.latency, expiry: MQTTTelemetry.latencyExpiry)
            publish(.published, published)
        }
    }

    private func offerTelemetry(_ topic: String, _ payload: [UInt8], expiry: UInt32) {
        offer(MQTTPublication(topic: topic, payload: payload, isConfirmed: false, expiry: expiry))
    }

    @discardableResult
    private func offer(_ publication: MQTTPublication) -> Bool {
        guard mailbox.offer(publication) else { return false }
        published += 1
        return true
    }

    // MARK: Reports

    private func handle(_ event: MQTTEvent) {
        connecting = nil
        switch event {
        case .connecting:
            connecting = rt_now()
            set(.connecting)
        case .connected:
            connectedSince = rt_now()
            set(.connected)
            set("")
            if !hasToldConnection { hub.log("connected to the broker \(settings.broker) as \(settings.topics.engine)") }
            hasToldConnection = true
            states.begin()
            shared.begin()
            changes.begin()
        case .lost(let reason):
            if isConnected { losses += 1 }
            connectedSince = nil
            states.end()
            changes.end()
            set(.waiting)
            publish(.losses, losses)
            set(reason)
        case .refused(let reason): set(reason)
        }
    }

    private func set(_ state: MQTTParameter.State) {
        hub.publish(hub.tree.index(MQTTParameter.state), .number(state.number))
    }

    /// Publishes a problem, and reports it once for as long as it lasts or comes back.
    private func set(_ problem: String) {
        let index = hub.tree.index(MQTTParameter.problem)
        guard hub.value(index) != .text(problem) else { return }
        hub.publish(index, .text(problem))
        guard !problem.isEmpty, told.count < Self.mostTold, told.insert(problem).inserted else { return }
        hub.notice("MQTT, \(settings.broker): \(problem)")
    }

    private func report(dropped count: Int) {
        guard count > 0 else { return }
        dropped += count
        publish(.dropped, dropped)
        guard dropsReported.spend(1, now: rt_now()) else { return }
        hub.notice("MQTT: commands come faster than they can be applied; those beyond 500 a second are dropped and counted")
    }

    private func publish(_ parameter: MQTTParameter, _ count: Int) {
        hub.publish(hub.tree.index(parameter), .number(Float(count)))
    }
}
