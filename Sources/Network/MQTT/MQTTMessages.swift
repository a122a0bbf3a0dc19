internal import CMosquitto
internal import Glibc
internal import Parameters

/// A message to the broker.
struct MQTTPublication: Sendable, Equatable {
    var topic: String
    var payload: [UInt8]
    var isRetained = false
    /// Whether the broker confirms it (QoS 1).
    var isConfirmed = true
    /// Seconds after which the broker drops it; 0 for never.
    var expiry: UInt32 = 0
    var correlation: [UInt8]?
    /// Topic that the answer is expected at.
    var responseTopic: String?
    var properties: [Property] = []

    /// A user property.
    struct Property: Sendable, Equatable {
        var name: String
        var value: String

        init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }
}

/// A command from the broker.
struct MQTTArrival: Sendable, Equatable {
    var topic: String
    /// The payload's values, or the reason why it has none.
    var arguments: Result<[Argument], MQTTValue.Refusal> = .success([])
    var isRetained = false
    var responseTopic: String?
    var correlation: [UInt8]?
    /// Name that the sender gives itself, to recognise its own changes.
    var origin: String?
    /// Revision of the state that the sender knows, in decimal.
    var revision: String?
    /// CLOCK_MONOTONIC nanoseconds.
    var time: UInt64 = 0

    /// Maximum number of bytes of a topic and of a payload, and of values in a payload.
    static let longestTopic = 512
    static let largestPayload = 65_536
    static let mostValues = 1024
    /// Maximum number of bytes of ``origin``, and of ``correlation``.
    static let longestOrigin = 128
    static let longestCorrelation = 1024
}

/// Reading a message of the library.
extension MQTTArrival {
    /// - Parameters:
    ///   - isText: whether the payload is a text; otherwise it is JSON.
    ///   - time: of its receipt, CLOCK_MONOTONIC nanoseconds.
    init(_ topic: String, _ message: mosquitto_message, _ properties: OpaquePointer?, isText: Bool, time: UInt64) {
        let isShort = topic.utf8.count <= Self.longestTopic
        self.topic = isShort ? topic : String(decoding: topic.utf8.prefix(Self.longestTopic), as: UTF8.self)
        self.time = time
        isRetained = message.retain
        let size = Int(message.payloadlen)
        if !isShort {
            arguments = .failure(.init(description: "the topic has more than \(Self.longestTopic) bytes"))
        } else if size > Self.largestPayload {
            arguments = .failure(.init(excess: size))
        } else if let bytes = message.payload {
            let payload = Array(UnsafeRawBufferPointer(start: bytes, count: size))
            // Here and not on the control thread: reading a large list takes a few milliseconds.
            arguments = isText ? .success([.string(String(decoding: payload, as: UTF8.self))]) : MQTTValue.arguments(payload)
        }
        readResponse(properties)
        readUserProperties(properties)
    }

    private mutating func readResponse(_ properties: OpaquePointer?) {
        var text: UnsafeMutablePointer<CChar>?
        if mosquitto_property_read_string(properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), &text, false) != nil, let text {
            responseTopic = String(cString: text)
            free(text)
        }
        correlation = Self.correlation(of: properties)
    }

    /// The correlation data of a message; nil for none, and for more than ``longestCorrelation`` bytes.
    static func correlation(of properties: OpaquePointer?) -> [UInt8]? {
        var data: UnsafeMutableRawPointer?
        var length: UInt16 = 0
        let identifier = Int32(MQTT_PROP_CORRELATION_DATA.rawValue)
        guard mosquitto_property_read_binary(properties, identifier, &data, &length, false) != nil, let data else { return nil }
        defer { free(data) }
        return length <= longestCorrelation ? Array(UnsafeRawBufferPointer(start: data, count: Int(length))) : nil
    }

    private mutating func note(property name: String, _ value: UnsafePointer<CChar>) {
        guard name == "origin" || name == "revision" else { return }
        guard strlen(value) <= Self.longestOrigin else {
            arguments = .failure(.init(description: "the property \(name) has more than \(Self.longestOrigin) bytes"))
            return
        }
        if name == "origin" { origin = String(cString: value) } else { revision = String(cString: value) }
    }

    private mutating func readUserProperties(_ properties: OpaquePointer?) {
        var (place, isFirst) = (properties, true)
        while place != nil {
            var (name, value): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
            place = mosquitto_property_read_string_pair(
                place, Int32(MQTT_PROP_USER_PROPERTY.rawValue), &name, &value, !isFirst)
            isFirst = false
            guard place != nil else { break }
            if let name, let value { note(property: String(cString: name), value) }
            free(name)
            free(value)
        }
    }
}
