package import FileOutput
internal import Foundation
internal import Hub
internal import Media
internal import Trust
package import Web

/// Receives files of clients that may control, and answers when they are stored. Used on the control thread, which writes no file.
package final class UploadService: WebFeature, LaterAnswers {
    /// Uploads at a time.
    private static let most = 4

    /// Kinds of files in JSON.
    private struct Kind: Encodable {
        let name: String
        let endings: [String]
        let most: Int
    }

    private struct Stored: Encodable { let name: String }

    private let hub: Hub
    private let kinds: [AcceptedFiles]
    private let deadlines: RequestDeadlines
    private let room: UploadRoom
    private let wake: @Sendable () -> Void
    private var uploads: [Connection: Upload] = [:]

    package init(_ kinds: [AcceptedFiles], room: UploadRoom, on web: WebServer) {
        (self.kinds, self.room) = (kinds, room)
        (hub, deadlines, wake) = (web.hub, web.deadlines, web.wake)
    }

    package var routes: [Route] {
        [
            .get("/files", .control, "The kinds of files that may be sent.") { [kinds] _ in
                .json(200, kinds.map { Kind(name: $0.name, endings: $0.endings, most: $0.most) })
            },
            Route(
                path: "/files/{kind}/{name}", methods: [.post], audience: .control,
                summary: "Sends a file whole; `?replace` replaces one of the same name.",
                action: .later(self) { [unowned self] in begin($0) }),
        ]
    }

    /// Begins to receive a file; the query `replace` confirms that a file of this name is replaced.
    /// - Returns: the answer when the request is refused.
    private func begin(_ exchange: Exchange) -> Response? {
        let (connection, request) = (exchange.connection, exchange.request)
        let parts = exchange.rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = kinds.first(where: { $0.name == parts[0] }), parts.count == 2 else {
            return .text(404, "files are sent to /files/KIND/NAME; the kinds are \(kinds.map(\.name).joined(separator: ", "))")
        }
        let name = FilePlace.composed(String(parts[1]))
        if let problem = kind.problem(name) { return .text(400, "the name is refused: \(problem)") }
        guard request.query == nil || request.query == "replace" else {
            return .text(400, "the query is unknown; \"replace\" replaces a file of the same name")
        }
        guard let size = request.contentLength else {
            return .text(411, "a Content-Length header is needed: the size of the file")
        }
        guard size > 0 else { return .text(400, "the file is empty") }
        guard size <= kind.most else {
            return .text(413, "the file has \(size) bytes; \(kind.name) may have at most \(kind.most)")
        }
        guard !uploads.values.contains(where: { $0.path == kind.folder + "/" + name }) else {
            return .text(409, "\(name) is being sent already")
        }
        guard uploads.count < Self.most else {
            return .text(503, "\(Self.most) files are being received already; try again when they have been")
        }
        if let refusal = room.promise(size, to: kind.folder + "/" + name) { return refusal }
        do throws(JobRefusal) {
            uploads[connection] = try Upload(name, kind, size: size, replaces: request.query != nil, wake: wake)
        } catch {
            room.end(kind.folder + "/" + name, isStored: false)
            return .text(503, "\(name) is not received: \(error)")
        }
        deadlines.noteProgress(connection)
        return nil
    }

    package func receive(_ connection: Connection, _ data: UnsafeRawBufferPointer) -> Bool {
        guard let upload = uploads[connection] else { return true }
        upload.add(data)
        deadlines.noteProgress(connection)
        return upload.flow.receive(connection, waiting: upload.waiting)
    }

    package func finish(_ connection: Connection) -> Response? {
        guard let upload = uploads[connection] else { return nil }
        upload.complete()
        deadlines.noteProgress(connection)
        // It may have ended before, with an error.
        if upload.outcome != nil { connection.requestWriting() }
        return nil
    }

    /// Resumes clients once there is room, and answers those whose file has been handled.
    package func settle() {
        for (connection, upload) in uploads {
            upload.flow.settle(connection, waiting: upload.waiting)
            if upload.isReceived, upload.outcome != nil { connection.requestWriting() }
        }
    }

    /// Extends the time of clients that wait for their file to be checked.
    package func check(now: UInt64) {
        for (connection, upload) in uploads where upload.isReceived { deadlines.noteProgress(connection) }
    }

    package func take(_ connection: Connection) -> Response? {
        guard let upload = uploads[connection], upload.isReceived, let outcome = upload.outcome else { return nil }
        uploads[connection] = nil
        switch outcome {
        case .stored:
            hub.log("\(connection.client) has sent the file \(upload.path)")
            room.end(upload.path, isStored: true)
            return .json(201, Stored(name: upload.name))
        case .refused(let status, let reason):
            hub.log("\(upload.path) was not stored: \(reason)")
            room.end(upload.path, isStored: false)
            return .text(status, reason)
        }
    }

    package func remove(_ connection: Connection) {
        guard let upload = uploads.removeValue(forKey: connection) else { return }
        upload.giveUp()
        room.end(upload.path, isStored: false)
    }
}
