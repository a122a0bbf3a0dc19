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
