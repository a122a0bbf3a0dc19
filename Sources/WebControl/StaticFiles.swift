internal import CWebSockets
internal import Glibc

/// The files of one folder, nothing outside of it, with single byte ranges.
struct StaticFiles {
    /// Without links, with a slash at the end; nil when there is no such folder.
    private let root: String?

    init(_ folder: String?) {
        root = folder.flatMap(Self.resolve).map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    }

    /// Whether there is such a folder.
    var exists: Bool { root != nil }

    /// - Parameter path: decoded, relative to the folder.
    func answer(_ path: String, _ request: Request) -> Response {
        guard let file = open(path.isEmpty ? "index.html" : path) else {
            return .text(404, root == nil ? "this server was started without the panel's files" : "no such file")
        }
        let tag = "\"\(String(file.size, radix: 16))-\(String(file.changed, radix: 16))\""
        var headers = [("etag:", tag), ("accept-ranges:", "bytes")]
        if let known = request.header(WSI_TOKEN_HTTP_IF_NONE_MATCH), known == "*" || known.contains(tag) {
            return Response(status: 304, headers: headers)
        }
        headers.append(("content-type:", MediaType.of(path.isEmpty ? "index.html" : path)))
        // A part of another version than the client has the rest of would be worse than the whole.
        let condition = request.header(WSI_TOKEN_HTTP_IF_RANGE)
        let range = condition == nil || condition == tag ? request.header(WSI_TOKEN_HTTP_RANGE) : nil
        switch ByteRange(range, size: file.size) {
        case .whole: return Response(status: 200, headers: headers, body: .file(file, 0..<file.size))
        case .part(let part):
            headers.append(("content-range:", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"))
            return Response(status: 206, headers: headers, body: .file(file, part))
        case .unsatisfiable:
            return Response(status: 416, headers: [("content-range:", "bytes */\(file.size)")])
        }
    }

    /// The file at a path relative to the folder; nil for anything outside of it.
    func open(_ path: String) -> OpenFile? {
        guard let root, !path.utf8.contains(0) else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // No hidden files, no way up, nothing that is spelled in two ways.
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("\\") }) else { return nil }
        // Links are followed first, and where they lead is looked at then.
        guard let real = Self.resolve(root + path), real.hasPrefix(root) else { return nil }
        return OpenFile(real)
    }

    private static func resolve(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
