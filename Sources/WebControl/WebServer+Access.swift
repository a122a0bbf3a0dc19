internal import CWebSockets
internal import Hub
internal import Trust

/// Who is let in, and how one logs in.
extension WebServer {
    /// Before anything is read: whether this address may have another connection. 0 to take it.
    func filter(_ arguments: UnsafePointer<lws_filter_network_conn_args>?) -> Int32 {
        guard let arguments else { return 0 }
        let address = PeerName.of(arguments)
        if counts.hasRoom(address) { return 0 }
        gate.noteTooMany(address, counts.most(address))
        return 1
    }

    /// The answer to a request that is not let in; nil when it is.
    func refusal(_ wsi: OpaquePointer, _ request: Request) -> Response? {
        let local = LocalAddress.reachable("0.0.0.0", by: wsi)
        if let problem = gate.hostProblem(request.header(WSI_TOKEN_HOST), local: local) { return .text(403, problem) }
        if let detour = detour(wsi, request, local: local) { return detour }
        if request.method == .other || request.method == .post && Upload.Kind(rawValue: request.path) == nil {
            var response = Response.text(405, "only GET and HEAD")
            response.headers.append(("allow:", "GET, HEAD"))
            return response
        }
        if isForEverybody(request) || visitor(wsi, request) != nil { return nil }
        gate.noteMissingToken(PeerName.of(wsi))
        var response = Response.text(401, "this server asks for a token; its owner finds it where the server was started")
        response.headers.append(("www-authenticate:", "Bearer realm=\"vestibule\""))
        return response
    }

    /// The panel's files, with which one logs in, and whether the server is well.
    private func isForEverybody(_ request: Request) -> Bool {
        if request.header(WSI_TOKEN_UPGRADE)?.lowercased() == "websocket" { return false }
        if request.method == .post { return Upload.Kind(rawValue: request.path)?.isForEverybody == true }
        return ["/health", "/panel", "/phone", "/telemetry"].contains(request.path)
            || request.path.hasPrefix("/panel/") || request.path.hasPrefix(SystemLibrary.prefix)
            || TrustPage.holds(request.path) || request.wantsPage
    }

    func visitor(_ wsi: OpaquePointer, _ request: Request) -> Visitor? {
        let visitor = gate.visitor(
            authorization: request.header(WSI_TOKEN_HTTP_AUTHORIZATION), cookie: request.header(WSI_TOKEN_HTTP_COOKIE),
            protocols: request.header(WSI_TOKEN_PROTOCOL))
        if let device = visitor?.device { noteDevice(device, visitor!.role, PeerName.of(wsi)) }
        return visitor
    }

    // MARK: What is posted

    func beginUpload(_ wsi: OpaquePointer, _ request: Request) -> Int32 {
        guard let kind = Upload.Kind(rawValue: request.path) else { return finish(wsi, .text(404, "nothing is posted there")) }
        let (origin, host) = (request.header(WSI_TOKEN_ORIGIN), request.header(WSI_TOKEN_HOST))
        guard Origin.isAllowed(origin: origin, host: host, isSecure: isSecure(wsi)) else {
            gate.noteOrigin(origin ?? "", host: host)
            return finish(wsi, .text(403, "one posts from this server's own page"))
        }
        if !kind.isForEverybody, visitor(wsi, request)?.role != .control {
            return finish(wsi, .text(403, "this login may look and listen, not control"))
        }
        guard let length = request.header(WSI_TOKEN_HTTP_CONTENT_LENGTH).flatMap({ Int($0) }), length > 0 else {
            return finish(wsi, .text(411, "\(kind.form) in JSON, of a length that is told"))
        }
        guard length <= Upload.most else { return finish(wsi, .text(413, "\(kind.form) is shorter")) }
        uploads[wsi] = Upload(kind, host: host)
        return 0
    }

    func receiveUpload(_ wsi: OpaquePointer, _ data: UnsafeRawBufferPointer) -> Int32 {
        guard let upload = uploads[wsi] else { return 0 }
        return upload.add(data) ? 0 : -1
    }

    func finishUpload(_ wsi: OpaquePointer) -> Int32 {
        guard let upload = uploads.removeValue(forKey: wsi) else { return 0 }
        do { return send(wsi, try answer(upload, wsi) ?? .text(400, "\(upload.kind.form) in JSON")) } catch {
            hub.notice("\(error)")
            return send(wsi, .text(500, "\(error)"))
        }
    }

    /// nil when what came is something else than was asked for.
    private func answer(_ upload: Upload, _ wsi: OpaquePointer) throws(TrustError) -> Response? {
        switch upload.kind {
        case .login: upload.body?.token.map { logIn($0, wsi) }
        case .pairing: try pair(upload, wsi)
        case .offer:
            upload.body.flatMap { body in body.role.map { offer($0, body.page ?? .panel, host: upload.host) } }
        case .revoke: try revoke(upload)
        case .role: try setRole(upload)
        }
    }

    private func logIn(_ token: String, _ wsi: OpaquePointer) -> Response {
        switch gate.login(token, from: PeerName.of(wsi)) {
        case .done(let id, let role):
            var response = Response.json(200, ["role": role])
            // 90 days, though it ends with the program.
            response.headers.append(("set-cookie:", cookie("\(port)", id, days: 90, wsi)))
            return response
        case .wrong: return .text(401, "this token is not known here")
        case .tooMany: return .text(429, "too many wrong tokens; try again in a minute")
        }
    }

    /// No other site can send it, no script can read it, and what came by TLS goes by TLS only.
    func cookie(_ name: String, _ value: String, days: Int, _ wsi: OpaquePointer) -> String {
        let secure = isSecure(wsi) ? "; Secure" : ""
        return "vestibule-\(name)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(days * 86_400)\(secure)"
    }
}
