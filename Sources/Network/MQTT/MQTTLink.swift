internal import CBrokerGuard
internal import CMosquitto
internal import CRealtime
internal import Glibc
internal import Hub

/// One connection to a broker, from the attempt to its end. Used on the broker's thread only.
final class MQTTLink {
    /// Keep-alive interval, seconds; a broker that is silent for longer is abandoned.
    private static let keepAlive: Int32 = 10
    /// Seconds within which the broker has to answer after the connection was made.
    private static let patience: UInt64 = 8
    /// Nanoseconds within which the broker has to confirm the last message.
    private static let farewell: UInt64 = 300_000_000
    /// Nanoseconds for which the engine's retained states are read after the connection was made.
    private static let search: UInt64 = 10_000_000_000
    /// Maximum number of messages that the broker has not confirmed.
    private static let mostUnconfirmed = 100
    /// Largest packet that the broker may send: larger commands are dropped by the broker.
    private static let largestPacket: UInt32 = 262_144
    /// Number of bytes from the broker without a message after which it is abandoned, and nanoseconds over which they are counted.
    /// Confirmations alone are far fewer, and a system's receive buffer, whose contents count as well, is smaller.
    private static let mostUnread: UInt64 = 16_777_216
    private static let reading: UInt64 = 1_800_000_000_000
    /// Commands per second; a burst may have twice as many.
    private static let commandRate = 500
    /// Questions about the clock per second that are answered, and as many more in a burst.
    private static let clockRate = 1000

    private let settings: MQTTSettings
    private let mailbox: MQTTMailbox
    private let part: MQTTPart
    private let client: OpaquePointer
    /// Errors that the library has logged.
    private var errors: [String] = []
    private var unconfirmed = 0
    /// Bytes that the connection had received at the last message or the last count, and when that was, CLOCK_MONOTONIC nanoseconds.
    private var read: (bytes: UInt64, time: UInt64) = (0, rt_now())
    private var isSearching = false
    private var problem: String?
    private var budget = MessageBudget(rate: commandRate, now: rt_now())
    private var clockBudget = MessageBudget(rate: clockRate, now: rt_now())
    /// CLOCK_MONOTONIC nanoseconds; nil until the broker has accepted the connection.
    private(set) var connectedSince: UInt64?

    /// - Returns: nil without memory.
    init?(_ settings: MQTTSettings, _ mailbox: MQTTMailbox, _ part: MQTTPart = .main) {
        guard let client = mosquitto_new(part.clientIdentifier(settings.topics), true, nil) else { return nil }
        (self.settings, self.mailbox, self.part, self.client) = (settings, mailbox, part, client)
        mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
        observe()
    }

    deinit { mosquitto_destroy(client) }

    /// Connects and serves the connection until it ends.
    /// - Returns: the reason; nil when ``MQTTMailbox/stop()`` was called.
    func run() -> String? {
        if let refusal = prepare() { return refusal }
        if let refusal = connect() { return refusal }
        let deadline = rt_now() + Self.patience * 1_000_000_000
        while !mailbox.isStopped {
            if let end = step() { return problem ?? end }
            if connectedSince == nil, rt_now() > deadline { return MQTTProblem.mute(settings.broker) }
        }
        if connectedSince != nil { leave() }
        return nil
    }

    private func leave() {
        guard let farewell = part.farewell(settings.topics) else {
            // 4: the broker publishes the will, as it would after a crash.
            mosquitto_disconnect_v5(client, 4, nil)
            return
        }
        let deadline = rt_now() + Self.farewell
        var end = publish(farewell)
        // If the connection were closed while confirmations are unread, the broker would not see its orderly end.
        while end == nil, unconfirmed > 0, rt_now() < deadline { end = step() }
        if end == nil { mosquitto_disconnect_v5(client, 0, nil) }
    }

    // MARK: Connecting

    private func prepare() -> String? {
        mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
        // Without this option, a state would wait up to 40 ms until the other side has confirmed the packet before it.
        mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
        mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, Int32(Self.mostUnconfirmed))
        if let user = settings.broker.user { mosquitto_username_pw_set(client, user, settings.password) }
        if let will = part.will(settings.topics) {
            mosquitto_will_set_v5(client, will.topic, Int32(will.payload.count), will.payload, 1, true, nil)
        }
        guard settings.broker.isSecure else { return nil }
        let result = mosquitto_tls_set(
            client, settings.authority, settings.authority == nil ? MQTTSettings.systemAuthorities : nil, settings.certificate?.chain,
            settings.certificate?.key, { _, _, _, _ in 0 })
        return result == MOSQ_ERR_SUCCESS.rawValue ? nil : "the files of certificates cannot be used: \(Self.words(result))"
    }

    private func connect() -> String? {
        var properties: OpaquePointer?
        mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), Self.largestPacket)
        defer { mosquitto_property_free_all(&properties) }
        let broker = settings.broker
        errno = 0
        let result = mosquitto_connect_bind_v5(client, broker.host, Int32(broker.port), Self.keepAlive, nil, properties)
        return result == MOSQ_ERR_SUCCESS.rawValue ? nil : words(ofEnd: result, errno)
    }

    private func words(ofEnd result: Int32, _ number: Int32) -> String {
        switch mosq_err_t(rawValue: result) {
        case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE: MQTTProblem.tls(errors, broker: settings.broker)
        case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP: "the host name \(settings.broker.host) is not known: check the address in --mqtt"
        case MOSQ_ERR_ERRNO where number == EPROTO && settings.broker.isSecure: MQTTProblem.tls(errors, broker: settings.broker)
        case MOSQ_ERR_ERRNO where number != 0 && connectedSince == nil:
            "the broker cannot be reached (\(String(cString: strerror(number)))): check that it runs, and the address in --mqtt"
        case MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_PROTOCOL: MQTTProblem.malformed
        case MOSQ_ERR_KEEPALIVE: "the broker no longer answers"
        case MOSQ_ERR_CONN_LOST, MOSQ_ERR_NO_CONN, MOSQ_ERR_ERRNO:
            if settings.broker.isSecure, !errors.isEmpty {
                MQTTProblem.tls(errors, broker: settings.broker)
            } else {
                connectedSince == nil ? MQTTProblem.closed(settings.broker) : MQTTProblem.lost
            }
        default: "the connection to the broker failed: \(Self.words(result))"
        }
    }

    private static func words(_ result: Int32) -> String { String(cString: mosquitto_strerror(result)) }

    // MARK: Serving

    /// Waits for the broker or the control thread, and does the pending work.
    /// - Returns: the reason of the end, if this was it.
    private func step() -> String? {
        let socket = mosquitto_socket(client)
        guard socket >= 0 else { return words(ofEnd: MOSQ_ERR_CONN_LOST.rawValue, 0) }
        let interest = Int16(POLLIN) | (mosquitto_want_write(client) ? Int16(POLLOUT) : 0)
        var waits = [
            pollfd(fd: socket, events: interest, revents: 0), pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&waits, 2, 250) >= 0 || errno == EINTR else {
            return "waiting for the broker failed: \(String(cString: strerror(errno)))"
        }
        if waits[1].revents != 0 { mailbox.acknowledge() }
        if guarded_bytes_received(socket) > read.bytes + Self.mostUnread { return MQTTProblem.tooLarge }
        if rt_now() > read.time + Self.reading { noteRead() }
        errno = 0
        var result: Int32 = 0
        if waits[0].revents & ~Int16(POLLOUT) != 0 { result = guarded_loop_read(client) }
        if result == 0, waits[0].revents & Int16(POLLOUT) != 0 { result = mosquitto_loop_write(client, 1) }
        if result == 0 { result = mosquitto_loop_misc(client) }
        guard result == 0 else { return words(ofEnd: result, errno) }
        guard let connectedSince else { return nil }
        if isSearching, rt_now() > connectedSince + Self.search {
            isSearching = false
            mosquitto_unsubscribe_v5(client, nil, settings.topics.states, nil)
        }
        return publish()
    }

    private func publish() -> String? {
        for publication in mailbox.takeOutgoing(atMost: Self.mostUnconfirmed - unconfirmed) {
            if let end = publish(publication) { return end }
        }
        return nil
    }

    private func publish(_ publication: MQTTPublication) -> String? {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if publication.expiry > 0 {
            mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), publication.expiry)
        }
        if let data = publication.correlation {
            mosquitto_property_add_binary(&properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), data, UInt16(data.count))
        }
        if let topic = publication.responseTopic {
            mosquitto_property_add_string(&properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), topic)
        }
        for property in publication.properties {
            mosquitto_property_add_string_pair(
                &properties, Int32(MQTT_PROP_USER_PROPERTY.rawValue), property.name, property.value)
        }
        unconfirmed += 1
        let result = mosquitto_publish_v5(
            client, nil, publication.topic, Int32(publication.payload.count), publication.payload, publication.isConfirmed ? 1 : 0,
            publication.isRetained, properties)
        switch mosq_err_t(rawValue: result) {
        case MOSQ_ERR_SUCCESS: return nil
        case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_RETAIN_NOT_SUPPORTED,
            MOSQ_ERR_QOS_NOT_SUPPORTED:
            unconfirmed -= 1
            mailbox.report(.refused("the broker refuses \(publication.topic): \(Self.words(result))"))
            return nil
        default: return words(ofEnd: result, errno)
        }
    }

    // MARK: Events of the library

    private func observe() {
        mosquitto_log_callback_set(client) { _, link, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            MQTTLink.of(link).note(String(cString: text))
        }
        mosquitto_connect_v5_callback_set(client) { _, link, reason, _, _ in MQTTLink.of(link).connected(reason) }
        mosquitto_disconnect_v5_callback_set(client) { _, link, reason, _ in MQTTLink.of(link).disconnected(reason) }
        mosquitto_publish_v5_callback_set(client) { _, link, _, reason, _ in MQTTLink.of(link).confirmed(reason) }
        mosquitto_subscribe_v5_callback_set(client) { _, link, _, count, granted, _ in
            if let granted { MQTTLink.of(link).subscribed(UnsafeBufferPointer(start: granted, count: Int(count))) }
        }
        mosquitto_message_v5_callback_set(client) { _, link, message, properties in
            if let message { MQTTLink.of(link).receive(message.pointee, properties) }
        }
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> MQTTLink {
        // SAFETY: set in `init`; the library calls back only from calls that this object makes.
        Unmanaged<MQTTLink>.fromOpaque(pointer!).takeUnretainedValue()
    }

    private func noteRead() { read = (max(read.bytes, guarded_bytes_received(mosquitto_socket(client))), rt_now()) }

    private func note(_ line: String) { if errors.count < 8 { errors.append(line) } }

    private func connected(_ reason: Int32) {
        guard reason == 0 else {
            let words = String(cString: mosquitto_reason_string(reason))
            problem = MQTTProblem.refusedConnection(reason, words, user: settings.broker.user)
            return
        }
        connectedSince = rt_now()
        let topics = settings.topics
        for subscription in part.subscriptions(topics) {
            mosquitto_subscribe_v5(client, nil, subscription.topic, subscription.quality, Int32(subscription.options.rawValue), nil)
        }
        if case .main = part { isSearching = true }
        mailbox.report(.connected)
        if let greeting = part.greeting(topics) { _ = mailbox.offer(greeting) }
    }

    private func disconnected(_ reason: Int32) {
        // Smaller numbers are the library's own errors.
        guard reason >= 0x80 else { return }
        problem = problem ?? MQTTProblem.ended(reason, String(cString: mosquitto_reason_string(reason)), engine: settings.topics.engine)
    }

    private func confirmed(_ reason: Int32) {
        unconfirmed -= 1
        guard reason >= 0x80 else { return }
        let words = String(cString: mosquitto_reason_string(reason))
        mailbox.report(.refused(MQTTProblem.refusedPublication(words, engine: settings.topics.engine)))
    }

    private func subscribed(_ granted: UnsafeBufferPointer<Int32>) {
        noteRead()
        guard let refusal = granted.first(where: { $0 >= 0x80 }) else { return }
        let words = String(cString: mosquitto_reason_string(refusal))
        mailbox.report(.refused(MQTTProblem.refusedSubscription(words, engine: settings.topics.engine)))
    }

    private func receive(_ message: mosquitto_message, _ properties: OpaquePointer?) {
        noteRead()
        // A hostile broker may leave out the topic.
        guard let bytes = message.topic else { return }
        let topic = String(cString: bytes)
        if case .follower(let inbox) = part { return inbox.receive(topic, message, properties, now: rt_now()) }
        if topic == settings.topics.clock { return answer(message, properties, received: rt_now()) }
        if settings.topics.address(ofState: topic) != nil {
            if message.retain, message.payloadlen > 0 { mailbox.found(topic) }
            return
        }
        let now = rt_now()
        guard budget.spend(1, now: now) else { return mailbox.drop() }
        let isText = if case .homie = part { true } else { false }
        mailbox.deliver(MQTTArrival(topic, message, properties, isText: isText, time: now))
    }

    /// Answers a question about the clock, here and at once: the control thread would add its delay.
    private func answer(_ message: mosquitto_message, _ properties: OpaquePointer?, received: UInt64) {
        guard !message.retain, clockBudget.spend(1, now: received) else { return }
        let question = MQTTArrival(settings.topics.clock, message, properties, isText: false, time: received)
        guard let topic = question.responseTopic, MQTTTopics.refusal(ofResponseTopic: topic) == nil else { return }
        let reading = ClockReading(received: received, sent: rt_now())
        _ = publish(MQTTPublication(topic: topic, payload: reading.json, isConfirmed: false, correlation: question.correlation))
    }
}
