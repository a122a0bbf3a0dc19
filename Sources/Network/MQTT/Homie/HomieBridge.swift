internal import CRealtime
internal import Glibc
internal import Hub
internal import Parameters
internal import Threads

/// The engine's Homie 5 device: its description and values, and the commands to it. Used on the control thread only.
///
/// It has its own connection, because a connection has one will, and Homie's is the device's state `lost`.
final class HomieBridge {
    /// Nanoseconds between two publications of values.
    private static let interval: UInt64 = 200_000_000

    private let hub: Hub
    private let topics: MQTTTopics
    private let mailbox: MQTTMailbox
    private let thread: MQTTThread
    private var device: HomieDevice
    private var topicsByIndex: [Int: String] = [:]
    private let client: Subscriber
    private var values: Subscriber?
    private var shape = 0
    /// Messages that wait for room.
    private var queue: ArraySlice<MQTTPublication> = []
    private var isReady = false
    private var due: UInt64 = 0
    private var refusals = RefusalLog()
    /// Version of the latest description: Unix time in seconds, or one more than the one before.
    private var version = 0

    init(_ settings: MQTTSettings, hub: Hub, wake: @escaping @Sendable () -> Void) {
        (self.hub, topics) = (hub, settings.topics)
        mailbox = MQTTMailbox(wakeControl: wake)
        thread = MQTTThread(settings, mailbox, .homie)
        device = HomieDevice(hub, name: settings.topics.engine, prefix: settings.topics.homie)
        client = hub.subscribe {}
        client.reportsRefusals = true
        client.onReply = { [unowned self] in complain($0.text, of: $0.text ?? "") }
    }

    func start() throws(ThreadError) { try thread.start() }

    /// Publishes that the device is disconnected.
    func stop() { thread.stop() }

    // MARK: From the broker

    /// Applies messages from the broker, at most 32 commands in one turn.
    /// - Returns: whether there is more.
    func take() -> Bool {
        let delivery = mailbox.take(withArrivals: false)
        for event in delivery.events {
            switch event {
            case .connected: begin()
            case .lost: end()
            // The engine's other connection reports problems.
            case .connecting, .refused: break
            }
        }
        let arrivals = mailbox.takeArrivals(atMost: 32)
        arrivals.forEach(handle)
        return arrivals.count == 32
    }

    private func handle(_ arrival: MQTTArrival) {
        guard let index = device.commands[arrival.topic], !arrival.isRetained else { return }
        let node = hub.tree.nodes[index]
        do {
            guard case .string(let text) = try arrival.arguments.get().first else { return }
            let arguments = try HomieValue.arguments(node.spec, text)
            let message = Message(address: node.address, arguments: arguments, receiveTime: arrival.time)
            switch hub.handle(message, from: client) {
            case .done: reflect(arrival.topic, text, node.spec)
            case .clamped(let words), .refused(let words), .unknown(let words): complain(words, of: arrival.topic)
            }
        } catch { complain("\(node.address): \(error)", of: arrival.topic) }
    }

    /// Publishes the command to a property that has no value, as the convention requires; a property with a value publishes that instead.
    private func reflect(_ command: String, _ text: String, _ spec: ParameterSpec) {
        guard spec.access == .write else { return }
        let topic = String(command.dropLast("/set".count))
        _ = mailbox.offer(MQTTPublication(topic: topic, payload: Array(text.utf8), isConfirmed: false))
    }

    private func complain(_ text: String?, of topic: String) {
        guard let text, refusals.admits(topic, now: rt_now()) else { return }
        hub.notice("MQTT, Homie: \(text)")
    }

    // MARK: To the broker

    private func begin() {
        end()
        values = hub.subscribe {}
        describe(removing: [])
    }

    private func end() {
        if let values { hub.unsubscribe(values) }
        (values, queue) = (nil, [])
    }

    /// Publishes the description, then all values, then that the device is ready.
    private func describe(removing gone: [String]) {
        shape = hub.shape
        isReady = false
        version = max(version + 1, time(nil))
        topicsByIndex = Dictionary(device.retained.map { ($0.index, $0.topic) }, uniquingKeysWith: { first, _ in first })
        queue = [publication("$state", "init")]
        queue += gone.map { MQTTPublication(topic: $0, payload: [], isRetained: true) }
        let description = device.description(version: version)
        queue.append(MQTTPublication(topic: topics.homie + "/$description", payload: description, isRetained: true))
        for property in device.retained { values?.listen(property.index) }
    }

    private func publication(_ attribute: String, _ text: String) -> MQTTPublication {
        MQTTPublication(topic: "\(topics.homie)/\(attribute)", payload: Array(text.utf8), isRetained: true)
    }

    /// Publishes what has changed.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func tick(now: UInt64) {
        guard let values, now >= due else { return }
        due = now + Self.interval
        if hub.shape != shape { reshape() }
        while let first = queue.first {
            guard mailbox.offer(first) else { return }
            queue.removeFirst()
        }
        values.drainPending { index in
            guard let topic = topicsByIndex[index], !hub.tree.nodes[index].address.isEmpty else { return true }
            let payload = HomieValue.payload(hub.tree.nodes[index].spec, hub.value(index))
            return mailbox.offer(MQTTPublication(topic: topic, payload: payload, isRetained: true))
        }
        guard !isReady, !values.hasPending else { return }
        isReady = mailbox.offer(publication("$state", "ready"))
    }

    /// Describes the device again when parameters have come or gone.
    private func reshape() {
        let new = HomieDevice(hub, name: topics.engine, prefix: topics.homie)
        defer { shape = hub.shape }
        guard new.nodes != device.nodes || new.retained.map(\.index) != device.retained.map(\.index) else { return }
        let gone = Set(device.retained.map(\.topic)).subtracting(new.retained.map(\.topic)).sorted()
        for property in device.retained { values?.ignore(property.index) }
        device = new
        describe(removing: gone)
    }
}
