internal import CWebSockets

/// The responses that are being sent, by connection.
final class ResponseTable {
    private var writers: [OpaquePointer: ResponseWriter] = [:]
    private let deadlines: RequestDeadlines

    init(_ deadlines: RequestDeadlines) { self.deadlines = deadlines }

    /// Sends the headers; the body follows whenever the socket has room.
    func send(_ wsi: OpaquePointer, _ response: Response, isHead: Bool = false) -> Int32 {
        let (writer, result) = ResponseWriter.begin(response, on: wsi, isHead: isHead)
        writers[wsi] = writer
        note(wsi, isDone: writer == nil)
        return result
    }

    /// Writes a whole response at once, keeping the bytes that the socket does not accept in the library, and ends the connection.
    func finish(_ wsi: OpaquePointer, _ response: Response, isHead: Bool = false) -> Int32 {
        var response = response
        response.headers.append(("connection:", "close"))
        let (writer, _) = ResponseWriter.begin(response, on: wsi, isHead: isHead)
        while let writer, !writer.writeMore(to: wsi).isDone {}
        return -1
    }

    /// Writes the next piece of a body.
    func writeMore(_ wsi: OpaquePointer) -> Int32 {
        guard let writer = writers[wsi] else { return 0 }
        let (isDone, result) = writer.writeMore(to: wsi, clients: writers.count)
        if isDone { writers[wsi] = nil }
        if isDone || !writer.isWaiting { note(wsi, isDone: isDone) }
        return result
    }

    /// Continues the responses that wait for more of their files.
    func wake() { for (wsi, writer) in writers where writer.isWaiting { lws_callback_on_writable(wsi) } }

    private func note(_ wsi: OpaquePointer, isDone: Bool) {
        if isDone { deadlines.awaitRequest(wsi) } else { deadlines.noteProgress(wsi) }
    }

    func remove(_ wsi: OpaquePointer) { writers[wsi] = nil }
}
