internal import Hub

/// Finds the answer to a GET or HEAD request by its path.
final class HTTPRouter {
    private let files: StaticFiles
    private let query: OSCQueryService
    private let address: ServerAddress
    private let policy: RequestPolicy
    private let trust: TrustPages
    private let clients: PairedClientService
    private let metrics: Metrics
    private let health: () -> Health

    init(
        files: StaticFiles, query: OSCQueryService, address: ServerAddress, policy: RequestPolicy, trust: TrustPages,
        clients: PairedClientService, metrics: Metrics, health: @escaping () -> Health
    ) {
        self.files = files
        self.query = query
        self.address = address
        self.policy = policy
        self.trust = trust
        self.clients = clients
        self.metrics = metrics
        self.health = health
    }

    /// Answers a request that the policy has admitted.
    func response(_ wsi: OpaquePointer, _ request: Request) -> Response {
        switch request.path {
        case "/health":
            let health = health()
            return .json(health.httpStatus, health)
        case "/pairing/devices": return clients.list(for: policy.visitor(wsi, request))
        case "/metrics": return metrics.response
        case "/panel": return files.answer("", request)
        case "/phone": return files.answer("phone.html", request)
        case "/telemetry": return files.answer("telemetry.html", request)
        default: break
        }
        if TrustPages.hold(request.path) { return trust.response(wsi, request) }
        if let answer = SystemLibrary.dygraphs.answer(request.path, request) { return answer }
        if request.path.hasPrefix("/panel/") { return files.answer(String(request.path.dropFirst(7)), request) }
        if request.wantsPage { return files.answer("", request) }
        return query.answer(request.path, query: request.query) { address.hostInfo(wsi) }
    }
}
