package import Web

/// The page and the WebSocket of telemetry.
package struct TelemetryRoutes: WebFeature {
    let service: TelemetryService
    /// What those see who may not control.
    let values: VisitorValues
    private let charts = SystemLibrary("dygraphs", package: "libjs-dygraphs")

    package init(_ service: TelemetryService, on web: WebServer, values: VisitorValues) {
        (self.service, self.values) = (service, values)
        service.sources.clients = { [connections = web.connections] in connections.readings }
        service.start(on: web.loop)
    }

    package var routes: [Route] {
        [
            .page("/telemetry", "telemetry.html", "Charts of telemetry over time."),
            .get("/lib/dygraphs/{file}", .everybody, "The library that draws them.") { charts.answer($0.rest, $0.request) },
            .socket(
                "/{path}", .view, "[Telemetry](telemetry.md), at any path.", subprotocol: TelemetryService.protocolName,
                client: { exchange in
                    TelemetryClient(service, hiding: exchange.mayControl ? nil : values.folders, wake: exchange.wake) {
                        [connection = exchange.connection] in connection.socket?.send($0) ?? false
                    }
                }),
        ]
    }
}
