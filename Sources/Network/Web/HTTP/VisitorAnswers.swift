internal import Files

/// Answers as visitors see them who may view, but not control: without the machine's folders. Lists that all of them read are made once.
final class VisitorAnswers {
    private static let lists: Set = ["/library", "/takes"]
    private let folders: HiddenFolders
    private var known: [String: (bytes: [UInt8], shown: [UInt8])] = [:]
    private var version = 0

    init(_ folders: HiddenFolders) { self.folders = folders }

    /// - Parameter path: of the request.
    func shown(_ response: Response, path: String) -> Response {
        guard case .bytes(let bytes) = response.body, !bytes.isEmpty,
            let type = response.headers.first(where: { $0.name == "content-type:" })?.value
        else { return response }
        var response = response
        if type.hasPrefix("application/json") {
            response.body = .bytes(Self.lists.contains(path) ? list(bytes, path) : folders.json(bytes))
        } else if type.hasPrefix("text/plain") {
            response.body = .bytes(Array(folders.text(String(decoding: bytes, as: UTF8.self)).utf8))
        }
        return response
    }

    private func list(_ bytes: [UInt8], _ path: String) -> [UInt8] {
        if version != folders.version { (known, version) = ([:], folders.version) }
        // Equal at a glance while the list is the same in memory.
        if let known = known[path], known.bytes == bytes { return known.shown }
        let shown = folders.json(bytes)
        known[path] = (bytes, shown)
        return shown
    }
}
