internal import FileOutput
internal import Foundation
internal import Media
internal import Trust

/// One part of a resumable upload on its way to the disk, written by its own thread. Used on the control thread.
final class UploadPart {
    /// The end of a part.
    struct Outcome: Sendable {
        /// Bytes of the file that are kept.
        var offset: Int
        /// The end of the whole file, if this was its last part.
        var ending: ResumableUpload.Ending?
        /// The reason why the part was refused, with a status of HTTP.
        var refusal: (status: Int, reason: String)?
    }

    /// Bytes of the part.
    let size: Int
    /// Whether the whole body has been received, or none follows.
    private(set) var isReceived = false
    var flow = UploadFlow()
    private let queue: UploadQueue
    private let job: BackgroundJob<Outcome>

    /// - Parameters:
    ///   - offset: bytes of the file before the part.
    ///   - checksum: of the part; nil when the client has not sent one.
    ///   - wake: called on the thread when there is room for more, and at the end.
    init(
        _ upload: ResumableUpload, _ kind: AcceptedFiles, offset: Int, size: Int, checksum: PartChecksum?,
        wake: @escaping @Sendable () -> Void
    ) throws(JobRefusal) {
        let queue = UploadQueue()
        job = try BackgroundJob<Outcome>(name: "upload", onEnd: wake) { _ in
            defer { queue.close() }
            return Self.write(queue, upload, kind, offset: offset, size: size, checksum: checksum, wake)
        }
        (self.size, self.queue) = (size, queue)
    }

    private static func write(
        _ queue: UploadQueue, _ upload: ResumableUpload, _ kind: AcceptedFiles, offset: Int, size: Int, checksum: PartChecksum?,
        _ wake: @Sendable () -> Void
    ) -> Outcome {
        var outcome = Outcome(offset: offset)
        do {
            let file = try PartialFile(upload.partial(kind))
            // Bytes after the offset are of a part whose end has not arrived.
            if file.length > offset { try file.cut(to: offset) }
            guard file.length == offset else {
                outcome.offset = file.length
                outcome.refusal = (409, "the received part of the file was truncated; request its offset")
                return outcome
            }
            let digest = RunningDigest(checksum?.algorithm ?? .sha256)
            var written = 0
            do {
                while let bytes = queue.take() {
                    try file.write(bytes)
                    if checksum != nil { digest.add(bytes) }
                    written += bytes.count
                    wake()
                }
            } catch {
                outcome.offset = checksum == nil ? file.length : offset
                try? file.cut(to: outcome.offset)
                throw error
            }
            if let checksum, written < size || digest.finish() != checksum.bytes {
                try file.cut(to: offset)
                if written == size { outcome.refusal = (460, "the part does not match its checksum; send it again") }
                return outcome
            }
            // Not synchronised with the disk: after a power failure the file's length shows how much has arrived.
            outcome.offset = offset + written
            if outcome.offset == upload.length { try finish(upload, kind, file, &outcome) }
        } catch let error as OutputError {
            outcome.refusal = (error.kind == .full ? 507 : 500, "\(upload.name) is not stored: \(error.reason)")
        } catch {
            outcome.refusal = (500, "\(upload.name) is not stored: \(error)")
        }
        return outcome
    }

    /// Stores a completely received file. Where the disk is full, the upload stays, and is finished by an empty part; after any other error
    /// it ends.
    private static func finish(
        _ upload: ResumableUpload, _ kind: AcceptedFiles, _ file: PartialFile, _ outcome: inout Outcome
    ) throws(OutputError) {
        do {
            outcome.ending = try upload.finish(kind, file)
        } catch let error as OutputError where error.kind == .full {
            throw error
        } catch {
            upload.remove(kind)
            outcome.ending = .refused(500, "\(upload.name) is not stored: \((error as? OutputError)?.reason ?? "\(error)")")
        }
    }

    /// Number of bytes that wait to be written.
    var waiting: Int { queue.waiting }

    func add(_ bytes: UnsafeRawBufferPointer) { queue.put(bytes) }

    /// Called when no more bytes follow: all have arrived, or the connection has ended.
    func complete() {
        isReceived = true
        queue.complete()
    }

    /// nil until it has ended.
    var outcome: Outcome? { job.product }
}
