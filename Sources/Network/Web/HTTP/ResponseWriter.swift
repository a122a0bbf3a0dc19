internal import CFrameMask
internal import CWebSockets
internal import Files

/// Sends one response: the headers at once, the body in pieces, whenever the socket has room.
final class ResponseWriter {
    /// Bytes of a piece, from those for each of many clients to those for a single one.
    private static let chunk = 4096...32_768
    /// Bytes for all clients together between two waits of the loop.
    private static let turn = 1 << 20
    private static let headerSpace = 4096

    private let body: Response.Body
    private let count: Int
    private var sent = 0
    /// Whether more of the file has to be read first.
    private(set) var isWaiting = false

    private enum Outcome: Int32 { case proceed = 0, close = -1 }

    /// Writes the headers.
    ///
    /// - Parameter isHead: true for a request for the headers alone.
    /// - Returns: the writer when a body follows, and the value to return to libwebsockets.
    static func begin(
        _ response: Response, on wsi: OpaquePointer, isHead: Bool
    ) -> (writer: ResponseWriter?, result: Int32) {
        let follows = !isHead && response.length > 0
        guard writeHeaders(response, on: wsi, isLast: !follows) else { return (nil, Outcome.close.rawValue) }
        let writer = ResponseWriter(response)
        guard follows else { return (nil, writer.finish(wsi).rawValue) }
        lws_callback_on_writable(wsi)
        return (writer, Outcome.proceed.rawValue)
    }

    private init(_ response: Response) {
        body = response.body
        count = response.length
    }

    /// Writes the next piece, from a writeable callback.
    ///
    /// - Parameter clients: number of responses that are being sent, among which the bytes of a turn are divided.
    /// - Returns: true when that was the last piece, and the value to return to libwebsockets.
    func writeMore(to wsi: OpaquePointer, clients: Int = 1) -> (isDone: Bool, result: Int32) {
        let share = min(max(Self.turn / max(1, clients), Self.chunk.lowerBound), Self.chunk.upperBound)
        let most = min(share, count - sent)
        let isWritten = withUnsafeTemporaryAllocation(byteCount: Int(lws_pre) + most, alignment: 16) { memory in
            let piece = UnsafeMutableRawBufferPointer(rebasing: memory[Int(lws_pre)...])
            guard let size = fill(piece) else { return false }
            isWaiting = size == 0
            guard !isWaiting else { return true }
            sent += size
            let kind = sent == count ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP
            return lws_write(wsi, piece.baseAddress!.assumingMemoryBound(to: UInt8.self), size, kind) >= 0
        }
        guard isWritten else { return (true, Outcome.close.rawValue) }
        if sent == count { return (true, finish(wsi).rawValue) }
        if !isWaiting { lws_callback_on_writable(wsi) }
        return (false, Outcome.proceed.rawValue)
    }

    /// Copies the next bytes of the body.
    /// - Returns: their number, which is less than that of `piece` only for files that are still being read; nil when they cannot be read.
    private func fill(_ piece: UnsafeMutableRawBufferPointer) -> Int? {
        switch body {
        case .none, .later: return nil
        case .bytes(let bytes):
            bytes.withUnsafeBytes { piece.copyMemory(from: .init(rebasing: $0[sent..<(sent + piece.count)])) }
            return piece.count
        case .file(let file, let range): return file.read(into: piece, at: range.lowerBound + sent) ? piece.count : nil
        case .feed(let feed, _): return feed.take(into: piece)
        }
    }

    private func finish(_ wsi: OpaquePointer) -> Outcome {
        let isLast = !frame_mask_answered(lws_get_socket_fd(wsi))
        return lws_http_transaction_completed(wsi) != 0 || isLast ? .close : .proceed
    }

    private static func writeHeaders(_ response: Response, on wsi: OpaquePointer, isLast: Bool) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(lws_pre) + headerSpace) { memory in
            let start = memory.baseAddress! + Int(lws_pre)
            let end = start + headerSpace
            var at: UnsafeMutablePointer<UInt8>? = start
            guard lws_add_http_header_status(wsi, UInt32(response.status), &at, end) == 0 else { return false }
            // The library adds the headers of every response to the status.
            for (name, value) in response.headers {
                guard lws_add_http_header_by_name(wsi, name, value, Int32(value.utf8.count), &at, end) == 0 else {
                    return false
                }
            }
            for (name, value) in [ResponseHeaders.uncached, ResponseHeaders.resourcePolicy]
            where !response.headers.contains(where: { $0.name == name }) {
                guard lws_add_http_header_by_name(wsi, name, value, Int32(value.utf8.count), &at, end) == 0 else { return false }
            }
            if response.hasLength {
                let length = UInt64(response.length)
                guard lws_add_http_header_content_length(wsi, length, &at, end) == 0 else { return false }
            }
            guard lws_finalize_http_header(wsi, &at, end) == 0, let at else { return false }
            var kind = LWS_WRITE_HTTP_HEADERS.rawValue
            if isLast { kind |= LWS_WRITE_H2_STREAM_END.rawValue }
            return lws_write(wsi, start, at - start, lws_write_protocol(rawValue: kind)) >= 0
        }
    }
}

/// The responses that are being sent, by connection.
final class ResponseTable {
    private var writers: [Connection: ResponseWriter] = [:]
    private let deadlines: RequestDeadlines

    init(_ deadlines: RequestDeadlines) { self.deadlines = deadlines }

    /// Sends the headers; the body follows whenever the socket has room.
    func send(_ connection: Connection, _ response: Response, isHead: Bool = false) -> Int32 {
        let (writer, result) = ResponseWriter.begin(response, on: connection.wsi, isHead: isHead)
        writers[connection] = writer
        note(connection, isDone: writer == nil)
        return result
    }

    /// Writes a whole response at once, keeping the bytes that the socket does not accept in the library, and ends the connection.
    func finish(_ connection: Connection, _ response: Response, isHead: Bool = false) -> Int32 {
        var response = response
        response.headers.append(("connection:", "close"))
        let (writer, _) = ResponseWriter.begin(response, on: connection.wsi, isHead: isHead)
        while let writer, !writer.writeMore(to: connection.wsi).isDone {}
        return -1
    }

    /// Writes the next piece of a body.
    func writeMore(_ connection: Connection) -> Int32 {
        guard let writer = writers[connection] else { return 0 }
        let (isDone, result) = writer.writeMore(to: connection.wsi, clients: writers.count)
        if isDone { writers[connection] = nil }
        if isDone || !writer.isWaiting { note(connection, isDone: isDone) }
        return result
    }

    /// Continues the responses that wait for more of their files.
    func wake() { for (connection, writer) in writers where writer.isWaiting { connection.requestWriting() } }

    private func note(_ connection: Connection, isDone: Bool) {
        if isDone { deadlines.awaitRequest(connection) } else { deadlines.noteProgress(connection) }
    }

    func remove(_ connection: Connection) { writers[connection] = nil }
}
