internal import Trust

/// Serves the list of takes at `/takes`, and their files at `/takes/NAME/FILE` to those who may control.
struct TakeFiles {
    private static let listPath = "/takes"
    private let folder: String?
    private let list: () -> [UInt8]?
    private let policy: RequestPolicy

    /// - Parameters:
    ///   - folder: of the takes; nil serves none.
    ///   - list: the list in JSON; nil until it is known.
    init(_ folder: String?, list: @escaping () -> [UInt8]?, policy: RequestPolicy) {
        (self.folder, self.list, self.policy) = (folder, list, policy)
    }

    static func holds(_ path: String) -> Bool { path == listPath || path.hasPrefix(listPath + "/") }

    func answer(_ wsi: OpaquePointer, _ request: Request) -> Response {
        guard let visitor = policy.visitor(wsi, request) else { return .text(403, "the takes are for those who are logged in") }
        guard request.path != Self.listPath else {
            guard let bytes = list() else { return .text(503, "the takes are being read; try again in a second") }
            return .json(200, bytes: bytes)
        }
        guard visitor.role == .control else { return .text(403, "this login may view and listen, but not download takes") }
        // The folder may have been made since the start.
        var response = StaticFiles(folder).answer(String(request.path.dropFirst(Self.listPath.count + 1)), request)
        guard response.status < 300 || response.status == 304 || response.status == 416 else { return .text(404, "there is no such take") }
        response.headers.append(("content-disposition:", "attachment"))
        return response
    }
}
