internal import FileOutput
internal import Files

/// The files of one folder and its sub-folders, with single byte ranges. Pages are joined from their parts: see ``StaticPage``.
package struct StaticFiles: Sendable {
    /// Resolved path with a slash at the end; nil when there is no such folder.
    private let root: String?

    package init(_ folder: String?) {
        root = folder.flatMap(FilePlace.real).map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    }

    /// True when the folder exists.
    package var exists: Bool { root != nil }

    /// - Parameter path: decoded, relative to the folder.
    package func answer(_ path: String, _ request: Request) -> Response { answer(path, FileConditions(request)) }

    /// - Parameter path: decoded, relative to the folder.
    func answer(_ path: String, _ conditions: FileConditions) -> Response {
        let path = path.isEmpty ? "index.html" : path
        guard let file = open(path) else {
            return .text(404, root == nil ? "this server was started without the panel's files" : "there is no such file")
        }
        let page = path.hasSuffix(".html") ? StaticPage(file) { open("pages/\($0).html") } : nil
        let size = page?.bytes.count ?? file.size
        let tag = "\"\(String(size, radix: 16))-\(String(page?.changed ?? file.changed, radix: 16))\""
        var headers = [("etag:", tag), ("accept-ranges:", "bytes")]
        if let known = conditions.known, known == "*" || known.contains(tag) {
            return Response(status: 304, headers: headers)
        }
        headers.append(("content-type:", MediaType.of(path)))
        // A part of a newer version would not fit the parts that the client has.
        let isPart = conditions.isGet && (conditions.version == nil || conditions.version == tag)
        let range = isPart ? conditions.range : nil
        func body(_ part: Range<Int>) -> Response.Body { page.map { .bytes(Array($0.bytes[part])) } ?? .file(file, part) }
        switch ByteRange(range, size: size) {
        case .whole: return Response(status: 200, headers: headers, body: body(0..<size))
        case .part(let part):
            headers.append(("content-range:", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"))
            return Response(status: 206, headers: headers, body: body(part))
        case .unsatisfiable:
            return Response(status: 416, headers: [("content-range:", "bytes */\(size)")])
        }
    }

    /// A page of the folder `pages`, by its name without `.html`; nil when there is none.
    package func template(_ name: String) -> PageTemplate? {
        guard let file = open("pages/\(name).html") else { return nil }
        var bytes = [UInt8](repeating: 0, count: file.size)
        guard bytes.withUnsafeMutableBytes({ file.read(into: $0, at: 0) }) else { return nil }
        return PageTemplate(String(decoding: bytes, as: UTF8.self))
    }

    /// The file at a path relative to the folder; nil for anything outside of it.
    func open(_ path: String) -> RegularFile? {
        guard let root, !path.utf8.contains(0) else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // No hidden files, no parent folders, no ambiguous spellings.
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("\\") }) else { return nil }
        // Links are resolved before the result is checked.
        guard let real = FilePlace.real(root + path), real.hasPrefix(root) else { return nil }
        return try? RegularFile(real, followsLinks: false)
    }

}

/// A page of ``StaticFiles`` with the parts that it names: `{{> head}}` stands for the file `pages/head.html`.
struct StaticPage {
    let bytes: [UInt8]
    /// Sum of the times of the last changes of its files, nanoseconds: another one when any of them has changed.
    let changed: Int

    /// - Parameter part: opens a part by its name; nothing stands for a part that does not exist.
    /// - Returns: nil for a file that is not UTF-8 text.
    init?(_ file: RegularFile, part: (String) -> RegularFile?) {
        guard let source = try? file.text() else { return nil }
        var (page, rest, changed) = ("", source[...], file.changed)
        while let open = rest.firstRange(of: "{{> "), let close = rest[open.upperBound...].firstRange(of: "}}") {
            page += rest[..<open.lowerBound]
            if let file = part(String(rest[open.upperBound..<close.lowerBound])), let text = try? file.text() {
                page += text
                changed = changed &+ file.changed
            }
            rest = rest[close.upperBound...]
        }
        bytes = Array((page + rest).utf8)
        self.changed = changed
    }
}

/// The part of a request that concerns the file itself: ranges, and the version that the client has.
struct FileConditions: Sendable {
    /// Ranges are defined for GET alone (RFC 9110, 14.2).
    let isGet: Bool
    /// If-None-Match, If-Range and Range.
    let (known, version, range): (String?, String?, String?)

    init(_ request: Request) {
        isGet = request.method == .get
        known = request.ifNoneMatch
        version = request.ifRange
        range = request.range
    }
}

/// The bytes of a file that a Range header requests.
enum ByteRange: Equatable {
    /// The whole file: no header, a header of another form, or several ranges at once.
    case whole
    case part(Range<Int>)
    /// A range outside of the file: status 416.
    case unsatisfiable

    /// - Parameter size: of the file, in bytes.
    init(_ header: String?, size: Int) {
        guard let header, header.hasPrefix("bytes="), !header.contains(",") else {
            self = .whole
            return
        }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else {
            self = .whole
            return
        }
        let (first, last) = (Self.number(ends[0]), Self.number(ends[1]))
        switch (first, last) {
        case (let first?, let last?) where first <= last:
            self = first < size ? .part(first..<min(size, last + 1)) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (nil, let last?) where ends[0].isEmpty:
            self = last > 0 && size > 0 ? .part(max(0, size - last)..<size) : .unsatisfiable
        default: self = .whole
        }
    }

    /// Parses a number of digits only, too few to overflow; nil for any other text.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.count <= 18 && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(text) : nil
    }
}

/// The Content-Type of a file, by the end of its name.
enum MediaType {
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "json": "application/json", "map": "application/json",
        "webmanifest": "application/manifest+json", "wasm": "application/wasm", "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
        "jpeg": "image/jpeg", "webp": "image/webp", "ico": "image/x-icon", "woff2": "font/woff2", "wav": "audio/wav",
        "flac": "audio/flac", "ogg": "audio/ogg", "opus": "audio/ogg", "mp3": "audio/mpeg", "mp4": "video/mp4", "m4v": "video/mp4",
        "mov": "video/mp4", "webm": "video/webm", "ogv": "video/ogg",
    ]

    static func of(_ path: String) -> String {
        guard let dot = path.lastIndex(of: "."), let type = types[path[path.index(after: dot)...].lowercased()] else {
            return "application/octet-stream"
        }
        return type
    }
}

/// Serves the files of the panel, and the page itself at every address that a browser opens and that no other route has.
struct PanelPages: WebFeature {
    let files: StaticFiles

    var routes: [Route] {
        [
            .page("/panel", "", "The panel."),
            .get("/panel/{file}", .everybody, "A file of the panel.") { files.answer($0.rest, $0.request) },
            // It also works for addresses outside of its own folder, and opens the page without the engine.
            .get("/panel/listen-worker.js", .everybody, "The service worker of the page *Listen*.") {
                var response = files.answer("listen-worker.js", $0.request)
                response.headers.append(("service-worker-allowed:", "/"))
                return response
            },
            Route(
                path: "/{path}", methods: [.page], audience: .everybody, summary: "The panel, at every other address.", action: .panel("")),
        ]
    }
}
