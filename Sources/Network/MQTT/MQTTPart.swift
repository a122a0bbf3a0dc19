internal import CMosquitto

/// One of an engine's connections to the broker: each has a will and subscriptions of its own.
enum MQTTPart {
    case main
    /// The engine as a device of Homie.
    case homie
    /// The engine as one that follows another.
    case follower(FollowInbox)

    /// A topic, its quality of service and its options.
    typealias Subscription = (topic: String, quality: Int32, options: mqtt5_sub_options)

    /// Name of the thread that keeps the connection.
    var threadName: String {
        switch self {
        case .main: "MQTT"
        case .homie: "Homie"
        case .follower: "MQTT follower"
        }
    }

    func clientIdentifier(_ topics: MQTTTopics) -> String {
        switch self {
        case .main: "vestibule-\(topics.engine)"
        case .homie: "homie-\(topics.engine)"
        case .follower: "follower-\(topics.engine)"
        }
    }

    /// The message that the broker publishes when the connection is lost.
    func will(_ topics: MQTTTopics) -> MQTTPublication? {
        switch self {
        case .main: retained(topics.online, "false")
        case .homie: retained(topics.homie + "/$state", "lost")
        case .follower: nil
        }
    }

    /// The first message of a connection.
    func greeting(_ topics: MQTTTopics) -> MQTTPublication? {
        switch self {
        case .main: retained(topics.online, "true")
        case .homie, .follower: nil
        }
    }

    /// The last message of a connection that the engine ends; without one, the broker publishes the will.
    func farewell(_ topics: MQTTTopics) -> MQTTPublication? {
        switch self {
        case .main, .follower: nil
        case .homie: retained(topics.homie + "/$state", "disconnected")
        }
    }

    /// Options for commands: the broker delivers no retained commands at a connection, since they would act again each time, and marks
    /// commands that were sent as retained.
    private static let commands = mqtt5_sub_options(
        rawValue: MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue | MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue)

    /// Retained states are delivered, also the engine's own, which Mosquitto counts as local.
    func subscriptions(_ topics: MQTTTopics) -> [Subscription] {
        switch self {
        case .main:
            [
                (topics.commands, 1, Self.commands), (topics.clock, 0, MQTT_SUB_OPT_SEND_RETAIN_NEVER),
                (topics.states, 0, MQTT_SUB_OPT_SEND_RETAIN_ALWAYS),
            ]
        case .homie: [(topics.homie + "/+/+/set", 1, Self.commands)]
        case .follower(let inbox):
            [inbox.leader.online, inbox.leader.session, inbox.leader.states].map { ($0, 1, MQTT_SUB_OPT_SEND_RETAIN_ALWAYS) }
                + [inbox.leader.transport, topics.clockAnswers].map { ($0, 0, MQTT_SUB_OPT_SEND_RETAIN_NEVER) }
        }
    }

    private func retained(_ topic: String, _ text: String) -> MQTTPublication {
        MQTTPublication(topic: topic, payload: Array(text.utf8), isRetained: true)
    }
}
