/// Serves the list of recordings that are packed for browsers at `/recordings/list.json`, and their files below `/recordings/`.
struct PackageFiles {
    static let prefix = "/recordings/"
    private let folder: String?
    private let list: () -> [UInt8]?

    init(_ packages: ListedFolder) {
        (folder, list) = (packages.path, packages.list)
    }

    static func holds(_ path: String) -> Bool { path.hasPrefix(prefix) }

    func answer(_ request: Request) -> Response {
        let name = String(request.path.dropFirst(Self.prefix.count))
        guard let folder else {
            if name == "list.json" { return .json(200, bytes: Array("[]".utf8)) }
            return .text(404, "this server has no packed recordings: start it with --packages FOLDER")
        }
        guard name != "list.json" else { return .json(200, bytes: list() ?? Array("[]".utf8)) }
        return .file(name, in: folder, request)
    }
}
