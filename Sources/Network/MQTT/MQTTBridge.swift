internal import CRealtime
internal import Glibc
public import Hub
internal import Parameters
public import Threads

/// Connects an engine to an MQTT broker: publishes its state and telemetry, and takes commands.
///
/// Used on the control thread only, which never waits for the broker: a thread of its own talks to the broker, and the threads exchange
/// messages through a mailbox.
public final class MQTTBridge {
    /// Milliseconds between two calls of ``tick(now:)``.
    public static let interval = 10
    /// Calls of ``tick(now:)`` between levels, and between latencies.
    private static let levelsTicks = 10
    private static let latencyTicks = 100
    /// Nanoseconds that commands may take before other work has its turn.
    private static let turn: UInt64 = 4_000_000

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
    private let reports: BrokerReports
    private var ticks = 0

    /// - Parameters:
    ///   - mirror: takes over the state of a followed engine; not called without one.
    ///   - scene: the state that other engines may take over from this one.
    ///   - wake: makes the control thread call ``take()``; called on any thread.
    public init(
        _ settings: MQTTSettings, hub: Hub, mirror: any EngineMirror, scene: any SharedEngine, wake: @escaping @Sendable () -> Void
    ) {
        (self.settings, self.hub, self.wake) = (settings, hub, wake)
        mailbox = MQTTMailbox(wakeControl: wake)
        reports = BrokerReports(hub: hub, broker: settings.broker.description, engine: settings.topics.engine)
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
        commands.onRefusal = { [unowned self] in reports.publish(.refused, commands.refused) }
    }

    /// - Throws: ``ThreadError`` when the system does not allow its threads.
    public func start() throws(ThreadError) {
        try thread.start()
        try homie?.start()
        try follower?.start()
    }

    /// Ends the connection; the broker publishes that the engine is gone.
    public func stop() {
        thread.stop()
        homie?.stop()
        follower?.stop()
    }

    /// Applies messages from the broker. Call after each wake.
    public func take() {
        let isFree = waiting.isEmpty
        let delivery = mailbox.take(withArrivals: isFree)
        for event in delivery.events { handle(event) }
        states.note(found: delivery.found)
        reports.add(dropped: delivery.dropped)
        if !delivery.arrivals.isEmpty { waiting = delivery.arrivals[...] }
        let end = rt_now() + Self.turn
        while let arrival = waiting.popFirst() {
            commands.handle(arrival)
            guard rt_now() < end else { break }
        }
        follower?.take()
        let hasMore = homie?.take() == true
        // Messages that arrived while others waited stayed in the mailbox, and nothing wakes this thread for them again.
        if hasMore || !waiting.isEmpty || !isFree { wake() }
        reports.add(received: delivery.arrivals.count)
    }

    /// Publishes what has changed. Call every ``interval`` milliseconds.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public func tick(now: UInt64) {
        reports.tick(now: now)
        homie?.tick(now: now)
        follower?.tick(now: now)
        guard reports.isConnected else { return }
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
            reports.publishPublished()
        }
    }

    private func offerTelemetry(_ topic: String, _ payload: [UInt8], expiry: UInt32) {
        offer(MQTTPublication(topic: topic, payload: payload, isConfirmed: false, expiry: expiry))
    }

    @discardableResult
    private func offer(_ publication: MQTTPublication) -> Bool {
        guard mailbox.offer(publication) else { return false }
        reports.published += 1
        return true
    }

    private func handle(_ event: MQTTEvent) {
        reports.note(event)
        switch event {
        case .connected:
            states.begin()
            shared.begin()
            changes.begin()
        case .lost:
            states.end()
            changes.end()
        case .connecting, .refused: break
        }
    }
}
