internal import CFrameMask
internal import CWebSockets
internal import Foundation

/// Decides whether a request is admitted: by its host name, TLS, its method, its login and its origin.
final class RequestPolicy {
    private let access: AccessControl
    private let address: ServerAddress
    private let clients: PairedClientService

    /// Pages of other servers that may play streams.
    let sharing: HLSSharing

    /// - Parameters:
    ///   - clients: notified when a paired client makes a request.
    ///   - sharing: pages of other servers that may play streams.
    init(access: AccessControl, address: ServerAddress, clients: PairedClientService, sharing: HLSSharing) {
        self.sharing = sharing
        self.access = access
        self.address = address
        self.clients = clients
    }

    /// - Returns: the answer to a request that is refused or redirected; nil when it is admitted.
    func refusal(_ wsi: OpaquePointer, _ request: Request) -> Response? {
        guard var response = denial(wsi, request) else { return nil }
        // A page of another server is told the reason.
        response.headers += sharing.headers(request)
        return response
    }

    private func denial(_ wsi: OpaquePointer, _ request: Request) -> Response? {
        let local = LocalAddress.reachable("0.0.0.0", by: wsi)
        if let problem = access.hostProblem(request.header(WSI_TOKEN_HOST), local: local) { return .text(403, problem) }
        if let redirection = redirection(wsi, request, local: local) { return redirection }
        if let answer = sharing.answer(request) { return answer }
        if !isSupported(request.method, request.path) {
            var response = Response.text(405, "only GET and HEAD are supported at this path")
            response.headers.append(("allow:", "GET, HEAD"))
            return response
        }
        if isForEverybody(request) { return nil }
        // The key of streams admits to nothing else.
        if HLSAddress.holds(request.path), request.header(WSI_TOKEN_UPGRADE)?.lowercased() == "websocket" {
            return .text(400, "there are no WebSockets below /hls; /audio/N is one")
        }
        let (credentials, peer) = (credentials(request), PeerName.of(wsi))
        // Wrong stream keys are not counted: players keep sending an old key, which must not lock out others at the same address.
        let token = credentials.token
        if let token, access.mustWait(peer, with: token) {
            return .text(429, "too many wrong tokens from this address; try again in a minute")
        }
        if visitor(wsi, request) != nil { return nil }
        if token != nil { access.countWrongToken(peer) } else { access.logMissingToken(peer) }
        var response = Response.text(401, "this server needs a token, which the computer that runs it shows and stores")
        response.headers.append(("www-authenticate:", "Bearer realm=\"vestibule\""))
        return response
    }

    private func isSupported(_ method: Request.Method, _ path: String) -> Bool {
        switch method {
        case .get, .head: true
        case .post: PostBody.Kind(rawValue: path) != nil || UploadService.holds(path) || ResumableUploads.holds(path)
        case .patch, .delete, .options: ResumableUploads.holds(path)
        case .other: false
        }
    }

    /// True for the panel's files, which are needed to log in, and for the server's health.
    private func isForEverybody(_ request: Request) -> Bool {
        if request.header(WSI_TOKEN_UPGRADE)?.lowercased() == "websocket" { return false }
        if request.method == .post { return PostBody.Kind(rawValue: request.path)?.isForEverybody == true }
        return ["/health", "/panel", "/phone", "/telemetry", "/listen", "/listening-test", "/camera", HLSAddress.page].contains(
            request.path)
            || request.path.hasPrefix("/panel/") || request.path.hasPrefix(SystemLibrary.prefix)
            || TrustPages.hold(request.path) || request.wantsPage && !HTTPRouter.isProtected(request.path)
    }

    /// The key that addresses of streams carry; nil when none is needed.
    var streamKey: String? { access.streamKey }

    /// Identifies the sender of a request; nil when it has to show a token first.
    func visitor(_ wsi: OpaquePointer, _ request: Request) -> Visitor? {
        let visitor = access.visitor(credentials(request))
        if let visitor, let client = visitor.pairedClient { clients.noteRequest(client, visitor.role, PeerName.of(wsi)) }
        return visitor
    }

    private func credentials(_ request: Request) -> Credentials {
        Credentials(
            authorization: request.header(WSI_TOKEN_HTTP_AUTHORIZATION), cookie: request.header(WSI_TOKEN_HTTP_COOKIE),
            protocols: request.customHeader(REQUEST_PROTOCOLS_HEADER),
            query: request.streamToken, streamKey: HLSAddress.key(request.path))
    }

    /// Whether a request comes from a page of this server, or from a program other than a browser.
    func isSameOrigin(_ wsi: OpaquePointer, _ request: Request) -> Bool {
        let (origin, host) = (request.header(WSI_TOKEN_ORIGIN), request.header(WSI_TOKEN_HOST))
        if Origin.isAllowed(origin: origin, host: host, isSecure: lws_is_ssl(wsi) != 0) { return true }
        access.logForeignOrigin(origin ?? "", host: host)
        return false
    }

    /// The redirection to TLS of a request that came without it; nil when the request is answered as it is.
    /// - Parameter local: the address of this machine that the connection came to.
    private func redirection(_ wsi: OpaquePointer, _ request: Request, local: String) -> Response? {
        guard address.hasTLS, lws_is_ssl(wsi) == 0 else { return nil }
        let isPlain = (request.method == .get || request.method == .head) && request.header(WSI_TOKEN_UPGRADE) == nil
        if isPlain, TrustPages.hold(request.path) { return nil }
        let origin = address.secureOrigin(request.header(WSI_TOKEN_HOST), local: local)
        guard isPlain else { return .text(403, "this is available over TLS only, at \(origin)") }
        let path = request.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "/"
        let query = request.query?.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed).map { "?\($0)" } ?? ""
        var response = Response.text(308, "moved to TLS, at \(origin)")
        response.headers.append(("location:", origin + path + query))
        return response
    }
}
