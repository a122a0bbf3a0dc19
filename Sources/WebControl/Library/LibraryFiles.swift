internal import Trust

/// Serves the list of the media library at `/library`, and its files, whole or in byte ranges, at `/library/PLACE/NAME` to those who may
/// control. A browser that opens `/library` is led to the panel's page.
struct LibraryFiles {
    private static let listPath = "/library"
    private let list: () -> [UInt8]?
    private let folder: (_ place: String, _ name: String) -> String?
    private let policy: RequestPolicy

    init(_ options: WebServer.Options, policy: RequestPolicy) {
        (list, folder, self.policy) = (options.library, options.libraryFolder, policy)
    }

    static func holds(_ path: String) -> Bool { path == listPath || path.hasPrefix(listPath + "/") }

    /// Whether a browser that opens a path needs a login: files, but not the panel's page.
    static func isProtected(_ path: String) -> Bool { path.hasPrefix(listPath + "/") }

    func answer(_ wsi: OpaquePointer, _ request: Request) -> Response {
        if request.path == Self.listPath, request.wantsPage {
            var response = Response.empty(302)
            response.headers = [("location:", "/#library")]
            return response
        }
        guard let visitor = policy.visitor(wsi, request) else { return .text(403, "the library is for those who are logged in") }
        guard request.path != Self.listPath else {
            guard let bytes = list() else { return .text(503, "the library is being read; try again in a second") }
            return .json(200, bytes: bytes)
        }
        guard visitor.role == .control else { return .text(403, "this login may view and listen, but not download files") }
        let parts = request.path.dropFirst(Self.listPath.count + 1).split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, let folder = folder(parts[0], parts[1]) else { return missing }
        // The folder may have been made since the start.
        var response = StaticFiles(folder).answer(parts[1], request)
        guard response.status < 300 || response.status == 304 || response.status == 416 else { return missing }
        response.headers.append(("content-disposition:", "attachment"))
        return response
    }

    private var missing: Response { .text(404, "there is no such file in the library; /library lists them") }
}
