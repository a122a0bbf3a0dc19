internal import Glibc
package import Web

/// The page and the WebSocket of telemetry.
package struct TelemetryRoutes: WebFeature {
    let service: TelemetryService
    /// Values for clients that may not control.
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
                "/{path}", .view, "[Telemetry](telemetry.md), at every other path.", subprotocol: TelemetryService.protocolName,
                client: { exchange in
                    TelemetryClient(service, hiding: exchange.mayControl ? nil : values.folders, wake: exchange.wake) {
                        [connection = exchange.connection] in connection.socket?.send($0) ?? false
                    }
                }),
        ]
    }
}

/// A script library for browsers that is installed on the system, as by Debian's libjs packages.
struct SystemLibrary {
    /// Name of its package.
    let package: String
    /// Name of the folder below `javascript` that contains its files.
    let name: String
    private let files: StaticFiles

    /// - Parameter folders: data folders to look in, separated by colons; nil takes those of the XDG Base Directory
    ///   Specification (0.8).
    init(_ name: String, package: String, in folders: String? = nil) {
        self.name = name
        self.package = package
        let given = folders ?? getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? ""
        let places = (given.isEmpty ? "/usr/local/share:/usr/share" : given).split(separator: ":")
            .map { "\($0)/javascript/\(name)" }
        files = StaticFiles(places.first { access($0, R_OK | X_OK) == 0 })
    }

    /// - Parameter path: in the library's folder.
    func answer(_ path: String, _ request: Request) -> Response {
        guard files.exists else {
            return .text(404, "\(name) is not installed on the computer that runs the engine; install the package \(package)")
        }
        return files.answer(path, request)
    }
}
