internal import CRealtime
internal import Hub
internal import Parameters

/// State of the connection to a broker, its problems and counts, as parameters and notices. Used on the control thread only.
final class BrokerReports {
    /// Nanoseconds without an answer after which a broker is reported.
    private static let patience: UInt64 = 10_000_000_000
    /// Nanoseconds after which a connection counts as stable: a problem after that is reported even if it was the last one reported.
    private static let steady: UInt64 = 10_000_000_000
    private static let mostTold = 16

    private let hub: Hub
    private let broker: String
    private let engine: String
    /// Messages that were published; see ``publishPublished()``.
    var published = 0
    private var (received, dropped, losses) = (0, 0, 0)
    private var connecting: UInt64?
    /// CLOCK_MONOTONIC nanoseconds; nil without a connection.
    private var connectedSince: UInt64?
    /// Reported problems, and whether the connection was reported; both are reported again only after a connection was stable.
    private var told: Set<String> = []
    private var hasToldConnection = false
    private var dropsReported = MessageBudget(rate: 1, now: rt_now())

    /// - Parameters:
    ///   - broker: its address.
    ///   - engine: this engine's name at the broker.
    init(hub: Hub, broker: String, engine: String) {
        (self.hub, self.broker, self.engine) = (hub, broker, engine)
        hub.publish(hub.tree.index(MQTTParameter.broker), .text(broker))
    }

    var isConnected: Bool { connectedSince != nil }

    /// Reports a change of the connection.
    func note(_ event: MQTTEvent) {
        connecting = nil
        switch event {
        case .connecting:
            connecting = rt_now()
            set(.connecting)
        case .connected:
            connectedSince = rt_now()
            set(.connected)
            set("")
            if !hasToldConnection { hub.log("connected to the broker \(broker) as \(engine)") }
            hasToldConnection = true
        case .lost(let reason):
            if isConnected { losses += 1 }
            connectedSince = nil
            set(.waiting)
            publish(.losses, losses)
            set(reason)
        case .refused(let reason): set(reason)
        }
    }

    /// Reports a broker that does not answer.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func tick(now: UInt64) {
        if let connecting, now > connecting + Self.patience {
            set("the broker does not answer: check the address in --mqtt, and firewalls between")
        }
        if let connectedSince, now > connectedSince + Self.steady { (told, hasToldConnection) = ([], false) }
    }

    func add(received count: Int) {
        guard count > 0 else { return }
        received += count
        publish(.received, received)
    }

    func add(dropped count: Int) {
        guard count > 0 else { return }
        dropped += count
        publish(.dropped, dropped)
        guard dropsReported.spend(1, now: rt_now()) else { return }
        hub.notice("MQTT: commands come faster than they can be applied; those beyond 500 a second are dropped and counted")
    }

    func publishPublished() { publish(.published, published) }

    func publish(_ parameter: MQTTParameter, _ count: Int) {
        hub.publish(hub.tree.index(parameter), .number(Float(count)))
    }

    private func set(_ state: ConnectionState) {
        hub.publish(hub.tree.index(MQTTParameter.state), .number(state.number))
    }

    /// Publishes a problem, and reports it once for as long as it lasts or comes back.
    private func set(_ problem: String) {
        let index = hub.tree.index(MQTTParameter.problem)
        guard hub.value(index) != .text(problem) else { return }
        hub.publish(index, .text(problem))
        guard !problem.isEmpty, told.count < Self.mostTold, told.insert(problem).inserted else { return }
        hub.notice("MQTT, \(broker): \(problem)")
    }
}
