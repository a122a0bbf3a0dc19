internal import FileOutput
internal import Foundation
internal import Hub
internal import Trust

/// Finds the answer to a GET or HEAD request by its path.
final class HTTPRouter {
    private let files: StaticFiles
    private let query: OSCQueryService
    private let address: ServerAddress
    private let policy: RequestPolicy
    private let trust: TrustPages
    private let clients: PairedClientService
    private let metrics: Metrics
    private let uploads: UploadService
    private let results: String?
    private let participants: ParticipantService
    private let listeners: (_ from: Int, _ count: Int, _ search: String) -> [UInt8]
    private let takes: TakeFiles
    private let library: LibraryFiles
    private let packages: PackageFiles
    private let overview: () -> [UInt8]?
    private let video: VideoFile
    private let cameras: CameraService
    private let health: () -> Health
    private let visitors: VisitorAnswers

    init(
        files: StaticFiles, query: OSCQueryService, address: ServerAddress, policy: RequestPolicy, trust: TrustPages,
        clients: PairedClientService, metrics: Metrics, uploads: UploadService, results: String?, participants: ParticipantService,
        listeners: @escaping (_ from: Int, _ count: Int, _ search: String) -> [UInt8], takes: TakeFiles, library: LibraryFiles,
        packages: PackageFiles,
        overview: @escaping () -> [UInt8]?, video: VideoFile, cameras: CameraService,
        health: @escaping () -> Health, visitors: VisitorAnswers
    ) {
        self.files = files
        self.query = query
        self.address = address
        self.policy = policy
        self.trust = trust
        self.clients = clients
        self.metrics = metrics
        self.uploads = uploads
        self.results = results
        self.participants = participants
        self.listeners = listeners
        self.takes = takes
        self.library = library
        self.packages = packages
        self.overview = overview
        self.video = video
        self.cameras = cameras
        self.health = health
        self.visitors = visitors
    }

    /// Answers a request that the policy has admitted.
    func response(_ wsi: OpaquePointer, _ request: Request) -> Response {
        guard let response = page(wsi, request) else {
            return query.answer(request.path, query: request.query, mayControl: mayControl(wsi, request)) { address.hostInfo(wsi) }
        }
        return shown(response, wsi, request)
    }

    /// An answer as its receiver may see it: without the machine's folders for those who may not control.
    func shown(_ response: Response, _ wsi: OpaquePointer, _ request: Request) -> Response {
        guard case .bytes = response.body, !mayControl(wsi, request) else { return response }
        return visitors.shown(response, path: request.path)
    }

    private func mayControl(_ wsi: OpaquePointer, _ request: Request) -> Bool { policy.visitor(wsi, request)?.role == .control }

    /// - Returns: nil for a path of the namespace.
    private func page(_ wsi: OpaquePointer, _ request: Request) -> Response? {
        switch request.path {
        case "/health":
            let health = health()
            return .json(health.httpStatus, health)
        case Self.clientsPath, Self.formerClientsPath: return clients.list(for: policy.visitor(wsi, request))
        case "/metrics": return metrics.response
        case UploadService.listPath: return uploads.list(for: policy.visitor(wsi, request))
        case "/overview":
            // No contents: no recording is loaded, or it is being read.
            guard let bytes = overview() else { return Response(status: 204, headers: [], body: .bytes([])) }
            return Response(status: 200, headers: [("content-type:", "application/octet-stream")], body: .bytes(bytes))
        case Self.listenersPath:
            return listenerTable(request)
        case CameraService.path: return cameras.refusal ?? RequestForm.needsWebSocket(request.path)
        case AudioStreams.joinPath, SceneStream.joinPath: return RequestForm.needsWebSocket(request.path)
        case VideoFile.path: return video.answer(request)
        case "/panel": return files.answer("", request)
        case "/camera": return files.answer("camera.html", request)
        case HLSAddress.page: return files.answer("hls.html", request)
        case "/telemetry": return files.answer("telemetry.html", request)
        case "/listen", "/phone", "/view": return ListenPage.answer(request)
        case "/listening-test": return files.answer("listening-test.html", request)
        default: break
        }
        if request.path.hasPrefix(Self.resultsPath) { return result(wsi, request) }
        if TakeFiles.holds(request.path) { return takes.answer(wsi, request) }
        if LibraryFiles.holds(request.path) { return library.answer(wsi, request) }
        if PackageFiles.holds(request.path) { return packages.answer(request) }
        if TrustPages.hold(request.path) { return trust.response(wsi, request) }
        if let answer = SystemLibrary.dygraphs.answer(request.path, request) { return answer }
        if request.path == ListenPage.worker { return ListenPage.admitted(files.answer(String(request.path.dropFirst(7)), request)) }
        if request.path.hasPrefix("/panel/") { return files.answer(String(request.path.dropFirst(7)), request) }
        return request.wantsPage ? files.answer("", request) : nil
    }

    private static let listenersPath = "/listeners"
    /// More than there can be.
    private static let mostListeners = 1_000_000
    private static let clientsPath = "/pairing/clients"
    /// The path until release 0.2.
    private static let formerClientsPath = "/pairing/devices"
    private static let resultsPath = "/results/"

    /// Whether a path needs a login also when a browser requests it as a page; other such requests are answered with the panel.
    static func isProtected(_ path: String) -> Bool {
        ["/metrics", "/overview", VideoFile.path, listenersPath, clientsPath, formerClientsPath, UploadService.listPath].contains(path)
            || path.hasPrefix(resultsPath)
            || TakeFiles.holds(path) || LibraryFiles.isProtected(path) || PackageFiles.holds(path)
            || HLSAddress.holds(path)
    }

    /// A part of the table of listeners.
    private func listenerTable(_ request: Request) -> Response {
        var numbers = ["from": 0, "count": 50]
        for name in numbers.keys.sorted() {
            guard let given = request.query(name) else { continue }
            guard let number = RequestForm.number(given), number <= Self.mostListeners else {
                let shown = LogText.line(String(given.prefix(40)))
                return .text(400, "\(name) is \"\(shown)\", but must be a whole number from 0 to \(Self.mostListeners)")
            }
            numbers[name] = number
        }
        let search = request.query("search") ?? ""
        return .json(200, bytes: listeners(numbers["from"] ?? 0, numbers["count"] ?? 0, FilePlace.composed(search)))
    }

    /// A table of results, which names the conditions: not for participants, which may view only.
    private func result(_ wsi: OpaquePointer, _ request: Request) -> Response {
        guard mayControl(wsi, request) else { return .text(403, "this login may view and listen, but not control") }
        guard !participants.isBlind() else { return .text(403, "results can be read when the listening test has ended") }
        let name = String(request.path.dropFirst(Self.resultsPath.count))
        let missing = "there is no such result"
        return results.map { .download(name, in: $0, request, missing: missing) } ?? .text(404, missing)
    }
}
