internal import Parameters

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
