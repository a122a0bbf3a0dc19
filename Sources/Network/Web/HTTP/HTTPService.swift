internal import CWebSockets
internal import Files

/// Answers HTTP requests by the table of routes.
final class HTTPService {
    /// Bytes of a file that is sent to a request for an upgrade that is not granted.
    private static let mostAtOnce = 1 << 20
    var routes = RouteTable([])
    private let policy: RequestPolicy
    private let panel: StaticFiles
    private let visitors: VisitorAnswers
    private let bodies: JSONBodies
    private let files: FileDesk
    private let responses: ResponseTable
    let deadlines: RequestDeadlines
    /// Parts of the server that answer the request of a connection later.
    private var later: [Connection: (answers: any LaterAnswers, isHead: Bool)] = [:]

    /// - Parameter visitors: adapts answers for clients that may not control.
    init(
        policy: RequestPolicy, panel: StaticFiles, visitors: VisitorAnswers, bodies: JSONBodies, files: FileDesk,
        deadlines: RequestDeadlines
    ) {
        responses = ResponseTable(deadlines)
        (self.policy, self.panel, self.visitors) = (policy, panel, visitors)
        (self.bodies, self.files, self.deadlines) = (bodies, files, deadlines)
    }

    /// Answers a request, or begins to read its body.
    func respond(_ connection: Connection) -> Int32 {
        let request = Request(connection.wsi)
        let isHead = request.method == .head
        if let refusal = RequestForm.refusal(request) { return responses.finish(connection, refusal, isHead: isHead) }
        guard let response = answer(connection, request) else { return awaitBody(connection, request) }
        // The rest of a body that nobody reads would be taken for the next request.
        if request.mayHaveBody { return responses.finish(connection, response, isHead: isHead) }
        guard case .later(let file) = response.body else { return responses.send(connection, response, isHead: isHead) }
        if let refusal = files.begin(connection, file, isHead: isHead) { return responses.send(connection, refusal, isHead: isHead) }
        later[connection] = (files, isHead)
        return 0
    }

    /// - Returns: nil when the answer follows.
    private func answer(_ connection: Connection, _ request: Request) -> Response? {
        let match = routes.match(request.path, request.routeMethod)
        do throws(RequestPolicy.Refusal) {
            switch match {
            case .found(let route, let rest): return answer(route, try policy.admit(connection, request, route, rest: rest))
            case .needsSocket(let route, let rest):
                let exchange = try policy.admit(connection, request, route, rest: rest)
                guard case .socket(let refusal, _) = route.action, let reason = refusal(exchange) else {
                    return RequestForm.needsWebSocket(request.path)
                }
                return shown(reason, exchange)
            case .unsupported(let methods):
                try policy.admitHost(connection, request, nil)
                return Self.unsupported(methods)
            }
        } catch { return error.response }
    }

    private func answer(_ route: Route, _ exchange: Exchange) -> Response? {
        let response: Response?
        let answers: any LaterAnswers
        switch route.action {
        case .answer(let make): return route.isAdapted ? make(exchange) : shown(make(exchange), exchange)
        case .panel(let file): return panel.answer(file, exchange.request)
        case .json(let form, let answer): (response, answers) = (bodies.begin(exchange, form: form, answer), bodies)
        case .later(let part, let begin): (response, answers) = (begin(exchange), part)
        // Malformed requests for WebSockets.
        case .socket: return RequestForm.needsWebSocket(exchange.request.path)
        }
        if response == nil { later[exchange.connection] = (answers, exchange.isHead) }
        return response
    }

    private static func unsupported(_ methods: [String]) -> Response {
        let names = methods.dropLast().joined(separator: ", ") + " and " + (methods.last ?? "")
        var response = Response.text(405, "only \(names) are supported at this path")
        response.headers.append(("allow:", methods.joined(separator: ", ")))
        return response
    }

    /// An answer as its receiver may see it: without the machine's folders for a client that may not control.
    func shown(_ response: Response, _ exchange: Exchange) -> Response {
        guard case .bytes = response.body, !exchange.mayControl else { return response }
        return visitors.shown(response, path: exchange.request.path)
    }

    /// Sends answers whose files other threads have opened, and more of files that they have read.
    func settle() { if files.settle() { responses.wake() } }

    /// Tells a client that waits for it to send the body of its request (RFC 9110, 10.1.1).
    /// - Returns: the value to return to libwebsockets.
    private func awaitBody(_ connection: Connection, _ request: Request) -> Int32 {
        guard request.header(WSI_TOKEN_HTTP_EXPECT) != nil else { return 0 }
        let line = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        return withUnsafeTemporaryAllocation(byteCount: Int(lws_pre) + line.count, alignment: 16) { memory in
            let piece = UnsafeMutableRawBufferPointer(rebasing: memory[Int(lws_pre)...])
            piece.copyBytes(from: line)
            let start = piece.baseAddress!.assumingMemoryBound(to: UInt8.self)
            return lws_write(connection.wsi, start, line.count, LWS_WRITE_HTTP_HEADERS) < 0 ? -1 : 0
        }
    }

    /// Answers a request for an upgrade that is not granted, and ends its connection.
    /// - Parameter refusal: nil answers as if no upgrade had been asked for.
    func finish(_ connection: Connection, _ request: Request, _ refusal: Response? = nil) -> Int32 {
        let isHead = request.method == .head
        guard var response = refusal ?? answer(connection, request) else {
            later.removeValue(forKey: connection)?.answers.remove(connection)
            return responses.finish(connection, .text(503, "this is not available yet; send the request without Upgrade"), isHead: isHead)
        }
        // It is read and written at once, and the client may not take it: a large file would stop everything else, and fill the memory.
        if case .file = response.body, response.length > Self.mostAtOnce, !isHead {
            response = .text(503, "this file has \(response.length) bytes; send the request without Upgrade")
        }
        if case .later = response.body { response = .text(503, "this file is not sent at once; send the request without Upgrade") }
        return responses.finish(connection, response, isHead: isHead)
    }

    func writeMore(_ connection: Connection) -> Int32 {
        guard let (answers, isHead) = later[connection], let response = answers.take(connection) else {
            return responses.writeMore(connection)
        }
        later[connection] = nil
        return responses.send(connection, response, isHead: isHead)
    }

    func receiveBody(_ connection: Connection, _ data: UnsafeRawBufferPointer) -> Int32 {
        later[connection]?.answers.receive(connection, data) == false ? -1 : 0
    }

    func finishBody(_ connection: Connection) -> Int32 {
        guard let (answers, isHead) = later[connection], let response = answers.finish(connection) else { return 0 }
        later[connection] = nil
        return responses.send(connection, response, isHead: isHead)
    }

    /// The connection is closed.
    func close(_ connection: Connection) {
        responses.remove(connection)
        later.removeValue(forKey: connection)?.answers.remove(connection)
    }
}

/// Removes the machine's folders from answers to clients that may view, but not control. Lists that all of them read are converted once.
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
        // The comparison takes no time while both are the same array in memory.
        if let known = known[path], known.bytes == bytes { return known.shown }
        let shown = folders.json(bytes)
        known[path] = (bytes, shown)
        return shown
    }
}
