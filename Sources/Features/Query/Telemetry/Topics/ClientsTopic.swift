internal import Hub

/// `clients`: the connected clients.
final class ClientsTopic: StateTopic {
    let name = "clients"
    let fastest = 2

    private let sources: TelemetrySources

    init(_ sources: TelemetrySources) { self.sources = sources }

    var state: State? { State(json: sources.clients()) }

    struct State: TelemetryContent {
        let json: [ClientReading]
    }
}
