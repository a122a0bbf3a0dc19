internal import CMosquitto

/// One of an engine's two connections to the broker: each has a will of its own.
enum MQTTPart {
    case main
    /// The engine as a device of Homie.
    case homie

    /// A topic, its quality of service and its options.
    typealias Subscription = (topic: String, quality: Int32, options: mqtt5_sub_options)

    func clientIdentifier(_ topics: MQTTTopics) -> String {
        switch self {
        case .main: "vestibule-\(topics.engine)"
        case .homie: "homie-\(topics.engine)"
        }
    }

    /// The message that the broker publishes when the connection is lost.
    func will(_ topics: MQTTTopics) -> MQTTPublication {
        switch self {
        case .main: retained(topics.online, "false")
        case .homie: retained(topics.homie + "/$state", "lost")
        }
    }

    /// The first message of a connection.
    func greeting(_ topics: MQTTTopics) -> MQTTPublication? {
        switch self {
        case .main: retained(topics.online, "true")
        case .homie: nil
        }
    }

    /// The last message of a connection that the engine ends; without one, the broker publishes the will.
    func farewell(_ topics: MQTTTopics) -> MQTTPublication? {
        switch self {
        case .main: nil
        case .homie: retained(topics.homie + "/$state", "disconnected")
        }
    }

    /// Options for commands: the broker delivers no retained ones at a connection, after which they would act again each time, and marks
    /// those that are sent as retained meanwhile.
    private static let commands = mqtt5_sub_options(
        rawValue: MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue | MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue)

    /// Retained states are delivered, also the engine's own, which Mosquitto counts as local.
    func subscriptions(_ topics: MQTTTopics) -> [Subscription] {
        switch self {
        case .main: [(topics.commands, 1, Self.commands), (topics.states, 0, MQTT_SUB_OPT_SEND_RETAIN_ALWAYS)]
        case .homie: [(topics.homie + "/+/+/set", 1, MQTT_SUB_OPT_SEND_RETAIN_NEVER)]
        }
    }

    private func retained(_ topic: String, _ text: String) -> MQTTPublication {
        MQTTPublication(topic: topic, payload: Array(text.utf8), isRetained: true)
    }
}
