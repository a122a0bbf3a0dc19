internal import CWebSockets

/// Answers HTTP requests.
final class HTTPService {
    /// Bytes of a file that is sent to a request for an upgrade that is not granted.
    private static let mostAtOnce = 1 << 20
    private let policy: RequestPolicy
    private let router: HTTPRouter
    private let posts: PostService
    private let uploads: UploadService
    private let resumable: ResumableUploads
    private let streams: HLSService
    private let files: FileDesk
    private let responses: ResponseTable
    let deadlines: RequestDeadlines

    init(
        policy: RequestPolicy, router: HTTPRouter, posts: PostService, uploads: UploadService, resumable: ResumableUploads,
        streams: HLSService, files: FileDesk, deadlines: RequestDeadlines
    ) {
        responses = ResponseTable(deadlines)
        self.deadlines = deadlines
        self.policy = policy
        self.router = router
        self.posts = posts
        self.uploads = uploads
        self.resumable = resumable
        self.streams = streams
        self.files = files
    }

    /// Answers a request, or begins to read its body.
    func respond(_ wsi: OpaquePointer) -> Int32 {
        let request = Request(wsi)
        if let refusal = RequestForm.refusal(request) { return responses.finish(wsi, refusal, isHead: request.method == .head) }
        if let refusal = policy.refusal(wsi, request) {
            let hasBody = request.method != .get && request.method != .head
            return hasBody ? responses.finish(wsi, refusal) : responses.send(wsi, refusal, isHead: request.method == .head)
        }
        if ResumableUploads.holds(request.path) { return resume(wsi, request) }
        if HLSAddress.holds(request.path) {
            return streams.answer(wsi, request).map { responses.send(wsi, $0, isHead: request.method == .head) } ?? 0
        }
        if request.method == .post { return begin(wsi, request).map { responses.finish(wsi, $0) } ?? awaitBody(wsi, request) }
        let (response, isHead) = (router.response(wsi, request), request.method == .head)
        guard case .later(let answer) = response.body else { return responses.send(wsi, response, isHead: isHead) }
        return files.begin(wsi, answer, isHead: isHead).map { responses.send(wsi, $0, isHead: isHead) } ?? 0
    }

    /// Sends answers whose files other threads have opened, and more of files that they have read.
    func settle() { if files.settle() { responses.wake() } }

    /// Begins to read a body.
    /// - Returns: the answer when the request is refused.
    private func begin(_ wsi: OpaquePointer, _ request: Request) -> Response? {
        guard policy.isSameOrigin(wsi, request) else { return .text(403, "only pages of this server may send POST requests to it") }
        return UploadService.holds(request.path) ? uploads.begin(wsi, request) : posts.begin(wsi, request)
    }

    /// Answers a request about a resumable upload, or begins to receive a part of one.
    private func resume(_ wsi: OpaquePointer, _ request: Request) -> Int32 {
        let isReading = request.method == .get || request.method == .head || request.method == .options
        let isAdmitted = isReading || policy.isSameOrigin(wsi, request)
        let refusal = isAdmitted ? resumable.begin(wsi, request) : .text(403, "only pages of this server may send files to it")
        guard let refusal else { return awaitBody(wsi, request) }
        let hasBody = (request.header(WSI_TOKEN_HTTP_CONTENT_LENGTH).flatMap(RequestForm.number) ?? 0) > 0
        return hasBody ? responses.finish(wsi, refusal) : responses.send(wsi, refusal, isHead: request.method == .head)
    }

    /// Tells a client that waits for it to send the body of its request (RFC 9110, 10.1.1).
    /// - Returns: the value to return to libwebsockets.
    private func awaitBody(_ wsi: OpaquePointer, _ request: Request) -> Int32 {
        guard request.header(WSI_TOKEN_HTTP_EXPECT) != nil else { return 0 }
        let line = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        return withUnsafeTemporaryAllocation(byteCount: Int(lws_pre) + line.count, alignment: 16) { memory in
            let piece = UnsafeMutableRawBufferPointer(rebasing: memory[Int(lws_pre)...])
            piece.copyBytes(from: line)
            let start = piece.baseAddress!.assumingMemoryBound(to: UInt8.self)
            return lws_write(wsi, start, line.count, LWS_WRITE_HTTP_HEADERS) < 0 ? -1 : 0
        }
    }

    /// Answers a request for an upgrade that is not granted, and ends its connection.
    /// - Parameter refusal: nil answers as if no upgrade had been asked for.
    func finish(_ wsi: OpaquePointer, _ request: Request, _ refusal: Response? = nil) -> Int32 {
        var answer = refusal.map { router.shown($0, wsi, request) } ?? response(wsi, request)
        // It is read and written at once, and the client may not take it: a large file would stop everything else, and fill the memory.
        if case .file = answer.body, answer.length > Self.mostAtOnce, request.method != .head {
            answer = .text(503, "this file has \(answer.length) bytes; send the request without Upgrade")
        }
        if case .later = answer.body { answer = .text(503, "this file is not sent at once; send the request without Upgrade") }
        return responses.finish(wsi, answer, isHead: request.method == .head)
    }

    /// The answer as if no upgrade had been asked for.
    private func response(_ wsi: OpaquePointer, _ request: Request) -> Response {
        guard HLSAddress.holds(request.path) else { return router.response(wsi, request) }
        if let response = streams.answer(wsi, request) { return response }
        streams.remove(wsi)
        return .text(503, "this sound is not available yet; send the request without Upgrade")
    }

    func writeMore(_ wsi: OpaquePointer) -> Int32 {
        if let (response, isHead) = streams.take(wsi) ?? files.take(wsi) { return responses.send(wsi, response, isHead: isHead) }
        return (uploads.answer(wsi) ?? resumable.answer(wsi)).map { responses.send(wsi, $0) } ?? responses.writeMore(wsi)
    }

    func receiveBody(_ wsi: OpaquePointer, _ data: UnsafeRawBufferPointer) -> Int32 {
        uploads.receive(wsi, data) ?? resumable.receive(wsi, data) ?? posts.receive(wsi, data) ? 0 : -1
    }

    func finishBody(_ wsi: OpaquePointer) -> Int32 {
        uploads.finish(wsi) || resumable.finish(wsi) ? 0 : posts.finish(wsi).map { responses.send(wsi, $0) } ?? 0
    }

    /// The connection is closed.
    func close(_ wsi: OpaquePointer) {
        responses.remove(wsi)
        posts.remove(wsi)
        uploads.remove(wsi)
        resumable.remove(wsi)
        streams.remove(wsi)
        files.remove(wsi)
    }
}
