import Files
import Foundation
import Hub
import OSCControl
import Parameters
import RenderInterface

@testable import Query
@testable import Web

/// HTTP requests, one line for each part: path, query, Host, Origin, Range. No path leads out of the panel's folder.
final class HTTPFuzz: FuzzTarget {
    private let service: OSCQueryService
    private let files: StaticFiles
    private let names = HostNames(bound: "127.0.0.1", allowed: ["hall.example"])
    /// Size of a file beside the panel's folder; no file of the panel has it. A link in the panel points to that file.
    private static let secretSize = 4711

    init() {
        let tree = ParameterTree(listeners: 1, methods: ["nearest", "linear"])
        let folder = URL(filePath: FuzzFolder.path)
        let panel = folder.appending(path: "web/js")
        for part in [panel, folder.appending(path: "web/pages")] {
            try? FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
        }
        let secret = folder.appending(path: "secret")
        _ = FileManager.default.createFile(atPath: secret.path, contents: Data(count: Self.secretSize))
        try? FileManager.default.createSymbolicLink(at: panel.appending(path: "link"), withDestinationURL: secret)
        for name in ["index.html", "js/main.js", "js/.hidden", "pages/node.html"] {
            _ = FileManager.default.createFile(atPath: folder.appending(path: "web/\(name)").path, contents: Data("x".utf8))
        }
        files = StaticFiles(folder.appending(path: "web").path)
        let hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
        service = OSCQueryService(hub: hub, pages: files, values: VisitorValues(hub, HiddenFolders()))
    }

    private func ask(_ path: String, _ query: String?) {
        let answer = service.answer(path, query: query, mayControl: path.utf8.count % 2 == 0) {
            HostInfo(osc: ("", 0), http: ("", 0))
        }
        precondition([200, 204, 400, 404].contains(answer.status))
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 4, omittingEmptySubsequences: false)
            .map(String.init)
        func line(_ i: Int) -> String? { lines.indices.contains(i) ? lines[i] : nil }
        let path = line(0) ?? ""
        if let file = files.open(path) { precondition(file.size != Self.secretSize && !path.contains("hidden")) }
        // The whole tree as JSON takes a hundred times as long as the rest: a share of the inputs is enough.
        if bytes.count % 16 == 0 { ask("/" + path, line(1)) }
        _ = MediaType.of(path)
        if names.allows(line(2), local: "192.0.2.1"), let host = line(2) {
            precondition(!HostNames.name(host).hasSuffix(".evil.example"))
            _ = HostNames.port(host)
        }
        if let origin = line(3), Origin.isAllowed(origin: origin, host: line(2), isSecure: true) {
            precondition(origin.hasPrefix("https://"))
        }
        if case .part(let part) = ByteRange(line(4), size: 1000) {
            precondition(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= 1000)
        }
    }
}
