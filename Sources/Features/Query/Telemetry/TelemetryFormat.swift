/// Encoding of the frames of a subscription.
enum TelemetryFormat: String, Codable { case json, binary }
