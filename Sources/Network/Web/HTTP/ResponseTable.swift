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
