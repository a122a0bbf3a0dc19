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
