internal import CRealtime
package import FileOutput
internal import Foundation
internal import Glibc
internal import Hub
internal import Media
internal import Trust
package import Web

/// Receives files in parts that survive lost connections and the end of the program, by the tus protocol 1.0.0 with its extensions
/// creation, checksum (SHA-256), expiration and termination: https://tus.io/protocols/resumable-upload. Used on the control thread, which
/// opens and writes no file.
package final class ResumableUploads: WebFeature, LaterAnswers {
    /// Most uploads that have begun and not ended, and most parts that are received at the same time.
    private static let (most, mostParts) = (256, 4)
    /// Nanoseconds within which the rest of a part may arrive after its client has asked for the offset.
    private static let patience: UInt64 = 500_000_000
    /// Seconds without a part after which a new upload with the same name takes the place of an incomplete one.
    private static let idle = 30.0
    private static let path = "/library/uploads"
    private static let version = (name: "tus-resumable:", value: "1.0.0")

    /// An upload, the bytes that are kept, and the part that is being written.
    private struct Entry {
        let upload: ResumableUpload
        let kind: AcceptedFiles
        var offset = 0
        var part: UploadPart?
        /// Time of the latest part, seconds since 1970.
        var latest: Double
        /// Time at which its client first asked for the offset while the part was received, CLOCK_MONOTONIC nanoseconds.
        var asked: UInt64?
    }

    /// Disk work whose result is the answer, and the id of the upload that it begins, if any.
    private struct Work {
        let job: BackgroundJob<Response>
        let begins: String?
    }

    private let hub: Hub
    private let kinds: [AcceptedFiles]
    private let deadlines: RequestDeadlines
    private let room: UploadRoom
    private let wake: @Sendable () -> Void
    private var entries: [String: Entry] = [:]
    private var ended = EndedUploads()
    /// Id of the upload whose part each connection sends, and the disk work whose result it awaits.
    private var senders: [Connection: String] = [:]
    private var answers: [Connection: Work] = [:]
    /// Uploads whose client disconnected before receiving their address.
    private var orphans: [Work] = []
    private var isRestored: Bool
    private var restored: BackgroundJob<[(ResumableUpload, Int, Double)]>?

    package init(_ kinds: [AcceptedFiles], room: UploadRoom, on web: WebServer) {
        (hub, deadlines, wake) = (web.hub, web.deadlines, web.wake)
        (self.kinds, self.room) = (kinds, room)
        isRestored = kinds.isEmpty
        restore()
    }

    /// Begins to read the uploads of the last run, unless that is under way or done.
    private func restore() {
        guard !isRestored, restored == nil else { return }
        let now = Date().timeIntervalSince1970
        restored = try? BackgroundJob(name: "upload", onEnd: wake) { [kinds] _ in
            ResumableUpload.kept(kinds, now: now)
        }
    }

    package var routes: [Route] {
        func route(_ path: RoutePath, _ methods: [Route.Method], _ summary: String) -> Route {
            Route(
                path: path, methods: methods, audience: .control, summary: summary, headers: { _ in [Self.version] },
                action: .later(self) { [unowned self] in begin($0.connection, $0.request) })
        }
        return [
            route(RoutePath(Self.path), [.get, .post, .patch, .delete, .options], "Begins an upload in parts, by the tus protocol 1.0.0."),
            route(
                RoutePath(Self.path + "/{id}"), [.get, .post, .patch, .delete, .options],
                "Asks for the offset of an upload (HEAD), continues and ends it; POST with X-HTTP-Method-Override does the same."),
        ]
    }

    // MARK: Requests

    /// Answers a request, or begins to receive a part.
    /// - Returns: nil when the answer follows.
    private func begin(_ connection: Connection, _ request: Request) -> Response? {
        let method = request.meant
        if method == .options { return options() }
        guard request.customHeader("tus-resumable:") == Self.version.value else {
            var response = Response.text(412, "this address accepts uploads by the tus protocol; a header Tus-Resumable: 1.0.0 is needed")
            response.headers.append(("tus-version:", Self.version.value))
            return answer(response)
        }
        let path = request.path.hasSuffix("/") ? String(request.path.dropLast()) : request.path
        if path == Self.path {
            return method == .post ? create(connection, request) : answer(.text(405, "use POST to start an upload here"))
        }
        let id = String(path.dropFirst(Self.path.count + 1))
        guard let entry = entries[id] else {
            guard isRestored else { return answer(.text(503, "the uploads of the last run are being read; try again in a moment")) }
            return answer(
                ended.answer(id, method, offset: request.customHeader("upload-offset:"))
                    ?? .text(404, "there is no such upload; it may have ended"))
        }
        switch method {
        case .head, .get: return offset(entry)
        case .patch: return receive(connection, request, entry)
        case .delete: return end(connection, entry)
        default: return answer(.text(405, "only HEAD, PATCH and DELETE are supported here"))
        }
    }

    private func options() -> Response {
        var response = Response.empty(204)
        response.headers = [
            ("tus-version:", Self.version.value), ("tus-extension:", "creation,checksum,expiration,termination"),
            ("tus-checksum-algorithm:", PartChecksum.names), ("tus-max-size:", "\(kinds.map(\.most).max() ?? 0)"),
        ]
        return answer(response)
    }

    private func answer(_ response: Response) -> Response {
        var response = response
        response.headers.append(Self.version)
        return response
    }

    private func create(_ connection: Connection, _ request: Request) -> Response? {
        guard entries.count < Self.most else {
            return answer(.text(503, "\(Self.most) uploads are incomplete already; end one, or continue it"))
        }
        for (header, name) in [("upload-defer-length", "creation-defer-length"), ("upload-concat", "concatenation")]
        where request.customHeader("\(header):") != nil {
            return answer(.text(400, "the extension \(name) of tus is not supported; send a whole file, with Upload-Length"))
        }
        let new: UploadRequest
        do throws(UploadRequest.Refusal) {
            new = try UploadRequest(
                length: request.customHeader("upload-length:"), metadata: request.customHeader("upload-metadata:") ?? "", kinds: kinds,
                now: Date().timeIntervalSince1970)
        } catch { return answer(error.response) }
        let (upload, kind) = (new.upload, new.kind)
        for entry in entries.values where entry.kind.name == kind.name && entry.upload.name == upload.name {
            guard entry.part == nil, Date().timeIntervalSince1970 > entry.latest + Self.idle else {
                return answer(.text(409, "\(upload.name) is being sent already; continue that upload, or try again when it has paused"))
            }
            do throws(JobRefusal) { try end(entry) } catch { return busy(error) }
        }
        if let refusal = room.promise(upload.length, to: upload.id) { return answer(refusal) }
        let expires = ResponseHeaders.date(ResumableUpload.end(upload.begun))
        let job = { @Sendable () -> Response in
            guard FreeSpace.bytes(in: kind.folder).map({ $0 > Int64(upload.length) }) ?? true else {
                return .text(507, "there is no space for \(upload.length) bytes on the disk")
            }
            if !upload.replaces, FilePlace.real(kind.folder + "/" + upload.name) != nil {
                return .text(409, "there is a file \(upload.name); \"replace\" with the value \"true\" in Upload-Metadata replaces it")
            }
            do { try upload.begin(kind) } catch {
                upload.remove(kind)
                return .text(500, "the upload cannot start: \((error as? OutputError)?.reason ?? error.localizedDescription)")
            }
            var response = Response.empty(201)
            response.headers = [("location:", "\(Self.path)/\(upload.id)"), ("upload-expires:", expires)]
            return response
        }
        do throws(JobRefusal) { try work(connection, begins: upload.id, job) } catch {
            room.end(upload.id, isStored: false)
            return busy(error)
        }
        entries[upload.id] = Entry(upload: upload, kind: kind, latest: upload.begun)
        return nil
    }

    private func busy(_ error: JobRefusal) -> Response { answer(.text(503, "nothing was written: \(error)")) }

    private func offset(_ entry: Entry) -> Response {
        if entry.part != nil {
            // The client asks because its connection was lost. Bytes that are on their way may still arrive for a moment; then the received
            // ones are written, and no more are accepted.
            let now = rt_now()
            let asked = entry.asked ?? now
            entries[entry.upload.id]?.asked = asked
            for (connection, id) in senders where id == entry.upload.id && now > asked + Self.patience { abandon(connection) }
            return answer(.text(423, "a part is being written; ask again in a moment"))
        }
        // Clients would take an upload with all its bytes for a stored file.
        guard entry.offset < entry.upload.length else {
            return answer(.text(507, "\(entry.upload.name) was received but there was no space for it; free some, and send an empty part"))
        }
        var response = Response.empty(200)
        response.headers = [
            ("upload-offset:", "\(entry.offset)"), ("upload-length:", "\(entry.upload.length)"), ("cache-control:", "no-store"),
            ("upload-expires:", ResponseHeaders.date(ResumableUpload.end(entry.latest))),
        ]
        if let metadata = entry.upload.metadata { response.headers.append(("upload-metadata:", metadata)) }
        return answer(response)
    }

    private func end(_ connection: Connection, _ entry: Entry) -> Response? {
        guard entry.part == nil else { return answer(.text(423, "a part is being written; try again in a moment")) }
        let (upload, kind) = (entry.upload, entry.kind)
        do throws(JobRefusal) {
            try work(connection) {
                upload.remove(kind)
                return .empty(204)
            }
        } catch { return busy(error) }
        forget(upload.id)
        return nil
    }

    /// Forgets an upload that has ended.
    private func forget(_ id: String, isStored: Bool = false) {
        entries[id] = nil
        room.end(id, isStored: isStored)
    }

    /// Starts disk work whose result is the answer.
    private func work(_ connection: Connection, begins: String? = nil, _ body: @escaping @Sendable () -> Response) throws(JobRefusal) {
        answers[connection] = Work(job: try BackgroundJob(name: "upload", onEnd: wake) { _ in body() }, begins: begins)
        deadlines.noteProgress(connection)
    }

    // MARK: Parts

    private func receive(_ connection: Connection, _ request: Request, _ entry: Entry) -> Response? {
        let new: PartRequest
        do throws(UploadRequest.Refusal) {
            new = try PartRequest(request, isBusy: entry.part != nil, received: entry.offset, length: entry.upload.length)
        } catch { return answer(error.response) }
        // An empty part finishes a file for which there was no space; before the end it changes nothing.
        if new.size == 0, entry.offset < entry.upload.length { return received(entry.offset, of: entry.upload.id) }
        guard senders.count < Self.mostParts else {
            return answer(.text(503, "\(Self.mostParts) files are being received already; try again when they have been"))
        }
        let part: UploadPart
        do throws(JobRefusal) {
            part = try UploadPart(
                entry.upload, entry.kind, offset: entry.offset, size: new.size, checksum: new.checksum, wake: wake)
        } catch { return busy(error) }
        entries[entry.upload.id]?.part = part
        entries[entry.upload.id]?.asked = nil
        if new.size == 0 { part.complete() }
        senders[connection] = entry.upload.id
        deadlines.noteProgress(connection)
        return nil
    }

    private func part(_ connection: Connection) -> UploadPart? { senders[connection].flatMap { entries[$0]?.part } }

    package func receive(_ connection: Connection, _ data: UnsafeRawBufferPointer) -> Bool {
        guard let part = part(connection) else { return true }
        part.add(data)
        deadlines.noteProgress(connection)
        return part.flow.receive(connection, waiting: part.waiting)
    }

    package func finish(_ connection: Connection) -> Response? {
        guard let part = part(connection) else { return nil }
        part.complete()
        deadlines.noteProgress(connection)
        if part.outcome != nil { connection.requestWriting() }
        return nil
    }

    /// Ends a part early: the bytes that were received are written.
    private func abandon(_ connection: Connection) {
        part(connection)?.complete()
        senders[connection] = nil
        connection.close()
    }

    // MARK: Progress

    /// Resumes clients once there is room, and answers those whose part has been written.
    package func settle() {
        if let kept = restored?.product {
            (isRestored, restored) = (true, nil)
            for (upload, offset, latest) in kept {
                guard let kind = kinds.first(where: { $0.name == upload.kind }) else { continue }
                entries[upload.id] = Entry(upload: upload, kind: kind, offset: offset, latest: latest)
                room.restore(upload.length, to: upload.id)
            }
        }
        for (connection, id) in senders {
            guard let part = entries[id]?.part else { continue }
            part.flow.settle(connection, waiting: part.waiting)
            if part.isReceived, part.outcome != nil { connection.requestWriting() }
        }
        for (connection, work) in answers where work.job.product != nil { connection.requestWriting() }
        // Parts whose connection has ended.
        let sent = Set(senders.values)
        for (id, entry) in entries where entry.part?.outcome != nil && !sent.contains(id) { _ = close(id) }
    }

    /// Extends the time of clients that wait for the disk, and removes uploads that are too old.
    package func check(now _: UInt64) {
        // Tried again, like the removals below: the system may have allowed no thread before.
        restore()
        for (connection, id) in senders where entries[id]?.part?.isReceived == true { deadlines.noteProgress(connection) }
        for connection in answers.keys { deadlines.noteProgress(connection) }
        orphans.removeAll { work in
            guard work.job.product != nil, let id = work.begins, let entry = entries[id] else { return work.job.product != nil }
            return (try? end(entry)) != nil
        }
        let now = Date().timeIntervalSince1970
        for entry in entries.values where entry.part == nil && ResumableUpload.end(entry.latest) <= now { try? end(entry) }
    }

    /// Removes an upload that is not continued.
    private func end(_ entry: Entry) throws(JobRefusal) {
        let (upload, kind) = (entry.upload, entry.kind)
        _ = try BackgroundJob<Void>(name: "upload", onEnd: {}) { _ in upload.remove(kind) }
        forget(upload.id)
    }

    package func take(_ connection: Connection) -> Response? {
        if let work = answers[connection], let response = work.job.product {
            answers[connection] = nil
            if response.status != 201, let failed = work.begins { forget(failed) }
            return answer(response)
        }
        guard let id = senders[connection], let part = entries[id]?.part, part.isReceived, part.outcome != nil else { return nil }
        senders[connection] = nil
        return close(id, connection)
    }

    /// Records the outcome of a part, and returns the answer to it.
    private func close(_ id: String, _ connection: Connection? = nil) -> Response? {
        guard let entry = entries[id], let outcome = entry.part?.outcome else { return nil }
        entries[id]?.part = nil
        entries[id]?.offset = outcome.offset
        entries[id]?.latest = Date().timeIntervalSince1970
        switch outcome.ending {
        case .stored:
            let sender = connection.map { $0.client } ?? "a client"
            hub.log("\(sender) has sent the file \(entry.kind.folder)/\(entry.upload.name)")
            forget(id, isStored: true)
            ended.note(id, .stored(length: entry.upload.length))
        case .refused(let status, let reason):
            hub.log("\(entry.kind.folder)/\(entry.upload.name) was not stored: \(reason)")
            forget(id)
            ended.note(id, .refused(status: status, reason: reason))
            return answer(.text(status, reason))
        case nil: break
        }
        if let refusal = outcome.refusal { return answer(.text(refusal.status, refusal.reason)) }
        return received(outcome.offset, of: id)
    }

    /// The answer to a part that has been received.
    private func received(_ offset: Int, of id: String) -> Response {
        var response = Response.empty(204)
        response.headers = [("upload-offset:", "\(offset)")]
        if let latest = entries[id]?.latest {
            response.headers.append(("upload-expires:", ResponseHeaders.date(ResumableUpload.end(latest))))
        }
        return answer(response)
    }

    package func remove(_ connection: Connection) {
        if let work = answers.removeValue(forKey: connection), work.begins != nil { orphans.append(work) }
        part(connection)?.complete()
        guard let id = senders.removeValue(forKey: connection) else { return }
        // A part that has been written no longer wakes the loop, so that it is closed here; one that is still being written is closed by
        // ``settle()``.
        _ = close(id)
    }
}
