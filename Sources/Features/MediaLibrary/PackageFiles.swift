package import Web

/// Serves the list of recordings that are packed for browsers, and their files.
package struct PackageFiles: WebFeature {
    private let folder: String?
    private let list: () -> [UInt8]?

    package init(_ packages: ListedFolder) { (folder, list) = (packages.path, packages.list) }

    package var routes: [Route] {
        [
            .get("/recordings/list.json", .view, "Recordings that are [packed for browsers](recording-package.md), as a list.") { _ in
                .json(200, bytes: folder.flatMap { _ in list() } ?? Array("[]".utf8))
            },
            .get("/recordings/{recording}/{file}", .view, "A file of a packed recording.") { exchange in
                guard let folder else { return .text(404, "this server has no packed recordings: start it with --packages FOLDER") }
                return .file(exchange.rest, in: folder, exchange.request)
            },
        ]
    }
}
