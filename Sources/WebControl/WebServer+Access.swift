internal import CWebSockets
internal import Hub

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
        if request.method == .other || request.method == .post && request.path != "/login" {
            var response = Response.text(405, "only GET and HEAD")
            response.headers.append(("allow:", "GET, HEAD"))
            return response
        }
        if isForEverybody(request) || role(request) != nil { return nil }
        gate.noteMissingToken(PeerName.of(wsi))
        var response = Response.text(401, "this server asks for a token; its owner finds it where the server was started")
        response.headers.append(("www-authenticate:", "Bearer realm=\"vestibule\""))
        return response
    }

    /// The panel's files, with which one logs in, and whether the server is well.
    private func isForEverybody(_ request: Request) -> Bool {
        if request.header(WSI_TOKEN_UPGRADE)?.lowercased() == "websocket" { return false }
        return request.method == .post || request.path == "/health" || request.path == "/panel"
            || request.path.hasPrefix("/panel/") || TrustPage.holds(request.path) || request.wantsPage
    }

    func role(_ request: Request) -> AccessRole? {
        gate.role(
            authorization: request.header(WSI_TOKEN_HTTP_AUTHORIZATION), cookie: request.header(WSI_TOKEN_HTTP_COOKIE),
            protocols: request.header(WSI_TOKEN_PROTOCOL))
    }

    // MARK: POST /login

    func beginLogin(_ wsi: OpaquePointer, _ request: Request) -> Int32 {
        let (origin, host) = (request.header(WSI_TOKEN_ORIGIN), request.header(WSI_TOKEN_HOST))
        guard Origin.isAllowed(origin: origin, host: host, isSecure: isSecure(wsi)) else {
            gate.noteOrigin(origin ?? "", host: host)
            return finish(wsi, .text(403, "one logs in from this server's own page"))
        }
        guard let length = request.header(WSI_TOKEN_HTTP_CONTENT_LENGTH).flatMap({ Int($0) }), length > 0 else {
            return finish(wsi, .text(411, "a login is {\"token\":TEXT} in JSON, of a length that is told"))
        }
        guard length <= LoginUpload.most else { return finish(wsi, .text(413, "a login is shorter")) }
        uploads[wsi] = LoginUpload()
        return 0
    }

    func receiveLogin(_ wsi: OpaquePointer, _ data: UnsafeRawBufferPointer) -> Int32 {
        guard let upload = uploads[wsi] else { return 0 }
        return upload.add(data) ? 0 : -1
    }

    func finishLogin(_ wsi: OpaquePointer) -> Int32 {
        guard let upload = uploads.removeValue(forKey: wsi) else { return 0 }
        guard let token = upload.token else { return send(wsi, .text(400, "a login is {\"token\":TEXT} in JSON")) }
        switch gate.login(token, from: PeerName.of(wsi)) {
        case .done(let id, let role):
            var response = Response.json(200, ["role": role])
            // 90 days, though it ends with the program. No other site can send it, no script can read it.
            response.headers.append(("set-cookie:", cookie(id, wsi)))
            return send(wsi, response)
        case .wrong: return send(wsi, .text(401, "this token is not known here"))
        case .tooMany: return send(wsi, .text(429, "too many wrong tokens; try again in a minute"))
        }
    }

    /// No other site can send it, no script can read it, and what came by TLS goes by TLS only. 90 days.
    func cookie(_ id: String, _ wsi: OpaquePointer) -> String {
        let secure = isSecure(wsi) ? "; Secure" : ""
        return "vestibule-\(port)=\(id); Path=/; HttpOnly; SameSite=Strict; Max-Age=7776000\(secure)"
    }
}
