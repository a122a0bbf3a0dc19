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
