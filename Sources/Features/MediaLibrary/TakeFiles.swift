package import Web

/// Serves the list of takes at `/takes`, and their files at `/takes/NAME/FILE` to clients that may control.
package struct TakeFiles: WebFeature {
    private static let missing = "there is no such take"
    private let folder: String?
    private let list: () -> [UInt8]?

    package init(_ takes: ListedFolder) { (folder, list) = (takes.path, takes.list) }

    package var routes: [Route] {
        [
            .get("/takes", .view, "The [list of takes](README.md#takes).") { _ in
                list().map { .json(200, bytes: $0) } ?? .text(503, "the takes are being read; try again in a second")
            },
            .get("/takes/{take}/{file}", .control, "A file of a take.") { exchange in
                guard let folder else { return .text(404, Self.missing) }
                return .download(exchange.rest, in: folder, exchange.request, missing: Self.missing)
            },
        ]
    }
}
