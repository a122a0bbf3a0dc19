internal import CWebSockets
internal import Files
internal import Hub
internal import Trust

/// Reads the bodies of POST requests, and answers them when they are complete.
final class PostService {
    private let hub: Hub
    private let policy: RequestPolicy
    private let logins: LoginService
    private let pairing: PairingService
    private let clients: PairedClientService
    private let folders: HiddenFolders
    private var bodies: [OpaquePointer: PostBody] = [:]

    /// - Parameter folders: which those do not see who may not control.
    init(
        hub: Hub, policy: RequestPolicy, logins: LoginService, pairing: PairingService, clients: PairedClientService, folders: HiddenFolders
    ) {
        self.hub = hub
        self.policy = policy
        self.logins = logins
        self.pairing = pairing
        self.clients = clients
        self.folders = folders
    }

    /// Begins to read a body of a request that comes from a page of this server or from no browser.
    /// - Returns: the answer when the request is refused.
    func begin(_ wsi: OpaquePointer, _ request: Request) -> Response? {
        guard let kind = PostBody.Kind(rawValue: request.path) else { return .text(404, "POST is not supported at this path") }
        if !kind.isForEverybody, policy.visitor(wsi, request)?.role != .control {
            return .text(403, "this login may view and listen, but not control")
        }
        guard let length = request.header(WSI_TOKEN_HTTP_CONTENT_LENGTH).flatMap({ Int($0) }), length > 0 else {
            return .text(411, "a Content-Length header is needed; the body is \(kind.form)")
        }
        guard length <= PostBody.longest else {
            return .text(413, "the body is longer than \(PostBody.longest) bytes; expected \(kind.form)")
        }
        bodies[wsi] = PostBody(kind, host: request.header(WSI_TOKEN_HOST))
        return nil
    }

    /// - Returns: false when the connection has to end.
    func receive(_ wsi: OpaquePointer, _ data: UnsafeRawBufferPointer) -> Bool { bodies[wsi]?.add(data) ?? true }

    /// - Returns: the answer to the complete request; nil when no body was expected.
    func finish(_ wsi: OpaquePointer) -> Response? {
        guard let body = bodies.removeValue(forKey: wsi) else { return nil }
        do {
            return try answer(body, wsi) ?? .text(400, "the body is not valid; expected \(body.kind.form)")
        } catch {
            hub.notice("\(error)")
            return .text(500, body.kind.isForEverybody ? folders.text("\(error)") : "\(error)")
        }
    }

    func remove(_ wsi: OpaquePointer) { bodies[wsi] = nil }

    /// - Returns: nil when the body lacks something.
    private func answer(_ body: PostBody, _ wsi: OpaquePointer) throws(TrustError) -> Response? {
        guard let content = body.content else { return nil }
        switch body.kind {
        case .login:
            guard let token = content.token else { return nil }
            return logins.logIn(token, wsi)
        case .pairing:
            guard let token = content.token else { return nil }
            return try pairing.pair(token, name: content.name ?? "", wsi)
        case .offer:
            guard let role = content.role else { return nil }
            return pairing.offer(role, content.page ?? .panel, host: body.host)
        case .revoke:
            guard let id = content.id else { return nil }
            return try clients.revoke(id)
        case .role:
            guard let id = content.id, let role = content.role else { return nil }
            return try clients.setRole(id, role)
        }
    }
}
