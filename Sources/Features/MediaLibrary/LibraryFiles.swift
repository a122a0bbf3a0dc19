internal import FileOutput
package import Web

/// Serves the list of the media library, or a part of it that a ``LibraryQuery`` asks for, its files, whole or in byte ranges, their
/// pictures and their spectrograms.
package struct LibraryFiles: WebFeature {
    private let library: LibraryAccess

    package init(_ library: LibraryAccess) { self.library = library }

    package var routes: [Route] {
        [
            Route(
                path: "/library", methods: [.page], audience: .everybody, summary: "302 to the page *Library* of the panel.",
                action: .answer { _ in Response(status: 302, headers: [("location:", "/#library")]) }),
            .get("/library", .view, "The [media library](README.md#media-library), or a part of it.") { list($0.request) },
            .get("/library/covers/{place}/{name}.{ending}", .view, "The picture of a file.") { cover($0.rest, $0.request) },
            .get("/library/spectrograms/{place}/{name}", .view, "The spectrogram of a sound.") { exchange in
                let parts = Self.parts(exchange.rest)
                return parts.count == 2 ? library.spectrogram(parts[0], parts[1]).map { .json(200, $0) } ?? Self.missing : Self.missing
            },
            .get("/library/{place}/{name}", .control, "A file of the library.") { exchange in
                let parts = Self.parts(exchange.rest)
                guard parts.count == 2, let folder = library.folder(parts[0], parts[1]) else { return Self.missing }
                return .download(parts[1], in: folder, exchange.request, missing: Self.missingText)
            },
        ]
    }

    private static func parts(_ rest: String) -> [String] { rest.split(separator: "/", maxSplits: 1).map(String.init) }

    private func list(_ request: Request) -> Response {
        let query: LibraryQuery?
        do throws(LibraryQuery.Problem) { query = try LibraryQuery(request.query) } catch { return .text(400, error.text) }
        guard let bytes = query.map(library.page) ?? library.list() else {
            return .text(503, "the library is being read; try again in a second")
        }
        return .json(200, bytes: bytes)
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
