internal import FileOutput
internal import Trust

/// Serves the list of the media library at `/library`, or a part of it that a ``LibraryQuery`` asks for, its files, whole or in byte
/// ranges, at `/library/PLACE/NAME` to clients that may control, and to clients that may view their pictures at
/// `/library/covers/PLACE/NAME.ENDING` and their spectrograms at `/library/spectrograms/PLACE/NAME`. A browser that opens `/library` is led
/// to the panel's page.
struct LibraryFiles {
    private static let listPath = "/library"
    private static let (coverPath, spectrogramPath) = ("/library/covers/", "/library/spectrograms/")
    private let library: LibraryAccess
    private let policy: RequestPolicy

    init(_ library: LibraryAccess, policy: RequestPolicy) { (self.library, self.policy) = (library, policy) }

    static func holds(_ path: String) -> Bool { path == listPath || path.hasPrefix(listPath + "/") }

    /// Whether a browser that opens a path needs a login: files, but not the panel's page.
    static func isProtected(_ path: String) -> Bool { path.hasPrefix(listPath + "/") }

    func answer(_ wsi: OpaquePointer, _ request: Request) -> Response {
        if request.path == Self.listPath, request.wantsPage {
            var response = Response.empty(302)
            response.headers = [("location:", "/#library")]
            return response
        }
        guard let visitor = policy.visitor(wsi, request) else { return .text(403, "log in to see the library") }
        guard request.path != Self.listPath else {
            let query: LibraryQuery?
            do throws(LibraryQuery.Problem) { query = try LibraryQuery(request.query) } catch { return .text(400, error.text) }
            guard let bytes = query.map(library.page) ?? library.list() else {
                return .text(503, "the library is being read; try again in a second")
            }
            return .json(200, bytes: bytes)
        }
        if request.path.hasPrefix(Self.coverPath) { return cover(String(request.path.dropFirst(Self.coverPath.count)), request) }
        if request.path.hasPrefix(Self.spectrogramPath) {
            let parts = request.path.dropFirst(Self.spectrogramPath.count).split(separator: "/", maxSplits: 1).map(String.init)
            return parts.count == 2 ? library.spectrogram(parts[0], parts[1]).map { .json(200, $0) } ?? Self.missing : Self.missing
        }
        guard visitor.role == .control else { return .text(403, "this login may view and listen, but not download files") }
        let parts = request.path.dropFirst(Self.listPath.count + 1).split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, let folder = library.folder(parts[0], parts[1]) else { return Self.missing }
        return .download(parts[1], in: folder, request, missing: Self.missingText)
    }

    /// The picture of a file, for `PLACE/NAME.ENDING`.
    private func cover(_ path: String, _ request: Request) -> Response {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let name = parts.dropFirst().joined(separator: "/")
        guard (2...3).contains(parts.count), let last = parts.last, let dot = last.lastIndex(of: "."),
            AboutFiles.pictures.contains(String(last[last.index(after: dot)...])), let folder = library.folder(parts[0], name)
        else { return Self.missing }
        let inside = parts.dropFirst().dropLast()
        guard inside.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else { return Self.missing }
        let pictures = ([folder] + inside + [AboutFiles.folder]).joined(separator: "/")
        return .file(last, in: pictures, of: folder, request) { response in
            response.status < 300 || response.status == 304 ? response : Self.missing
        }
    }

    private static let missingText = "there is no such file in the library; /library lists them"
    private static var missing: Response { .text(404, missingText) }
}
