internal import Trust

/// Serves the list of takes at `/takes`, and their files at `/takes/NAME/FILE` to clients that may control.
struct TakeFiles {
    private static let listPath = "/takes"
    private static let missing = "there is no such take"
    private let folder: String?
    private let list: () -> [UInt8]?
    private let policy: RequestPolicy

    init(_ takes: ListedFolder, policy: RequestPolicy) {
        (folder, list, self.policy) = (takes.path, takes.list, policy)
    }

    static func holds(_ path: String) -> Bool { path == listPath || path.hasPrefix(listPath + "/") }

    func answer(_ wsi: OpaquePointer, _ request: Request) -> Response {
        guard let visitor = policy.visitor(wsi, request) else { return .text(403, "log in to see the takes") }
        guard request.path != Self.listPath else {
            guard let bytes = list() else { return .text(503, "the takes are being read; try again in a second") }
            return .json(200, bytes: bytes)
        }
        guard visitor.role == .control else { return .text(403, "this login may view and listen, but not download takes") }
        let path = String(request.path.dropFirst(Self.listPath.count + 1))
        return folder.map { .download(path, in: $0, request, missing: Self.missing) } ?? .text(404, Self.missing)
    }
}
