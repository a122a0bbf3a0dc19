/// What can be subscribed to; raw values are the names on the wire.
enum TelemetryTopic: String, CaseIterable, Codable, Sendable {
    case meters, engine, latency, poses, trackers, transport, clients, log

    /// Frames a second that make sense: what changes slowly is not made faster.
    var fastest: Int {
        switch self {
        case .meters, .engine, .poses: 120
        case .trackers: 30
        case .transport, .log: 60
        case .latency, .clients: 2
        }
    }

    /// The number in a binary frame; nil for what is always JSON.
    var code: UInt8? {
        switch self {
        case .meters: 1
        case .engine: 2
        case .latency: 3
        case .poses: 4
        case .transport: 5
        case .trackers: 6
        case .clients, .log: nil
        }
    }

    /// True for what is sent when it has changed, false for what is sent whenever there is something new.
    var isState: Bool { self != .meters && self != .engine && self != .poses }
}
