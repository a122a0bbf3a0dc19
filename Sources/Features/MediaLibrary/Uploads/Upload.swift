internal import FileOutput
internal import Foundation
internal import Media

/// Upload of one file: its own thread writes the file, checks that the program can read it, and only then gives it its name. Before that,
/// and when anything fails, the folder has no file of this name, or still the previous one. Used on the control thread.
final class Upload {
    /// The end of an upload: a status of HTTP, and the reason if it was refused.
    enum Outcome: Sendable {
        case stored
        case refused(Int, String)
    }

    let path: String
    let name: String
    /// Whether the whole body has been received.
    var isReceived = false
    var flow = UploadFlow()
    private let queue: UploadQueue
    private let job: BackgroundJob<Outcome?>

    /// - Parameters:
    ///   - name: of the file, which was checked.
    ///   - replaces: whether a file of this name is replaced.
    ///   - size: in bytes.
    ///   - wake: called on the thread when there is room for more, and at the end.
    init(_ name: String, _ kind: AcceptedFiles, size: Int, replaces: Bool, wake: @escaping @Sendable () -> Void) throws(JobRefusal) {
        let (path, queue) = (kind.folder + "/" + name, UploadQueue())
        job = try BackgroundJob<Outcome?>(name: "upload", onEnd: wake) { _ in
            defer { queue.close() }
            do {
                return try Self.write(queue, kind, path, name, size: size, replaces: replaces, wake) ? .stored : nil
            } catch let error as OutputError {
                return .refused(Self.status(error.kind), "\(name) was not stored: \(error.reason)")
            } catch let refusal as Refusal {
                return .refused(refusal.status, refusal.reason)
            } catch {
                return .refused(500, "\(error)")
            }
        }
        (self.path, self.name, self.queue) = (path, name, queue)
    }

    private struct Refusal: Error {
        let status: Int
        let reason: String
    }

    /// - Returns: false when it was abandoned.
    private static func write(
        _ queue: UploadQueue, _ kind: AcceptedFiles, _ path: String, _ name: String, size: Int, replaces: Bool,
        _ wake: @Sendable () -> Void
    ) throws -> Bool {
        do { try FileManager.default.createDirectory(atPath: kind.folder, withIntermediateDirectories: true) } catch {
            throw Refusal(status: 500, reason: "the folder \(kind.folder) cannot be made: \(error.localizedDescription)")
        }
        guard !FilePlace.isLink(path) else {
            throw Refusal(status: 409, reason: "\(name) was not stored: a symbolic link has this name already; choose another one")
        }
        let file = try OutputFile(path, existing: replaces ? .replaced : .refused, permissions: 0o644)
        var written = 0
        while let bytes = queue.take() {
            try file.write(bytes)
            written += bytes.count
            wake()
        }
        guard queue.isWhole, written == size else { return false }
        do { try kind.check(file.readablePath) } catch {
            let reason = "\(error)".replacing(file.readablePath, with: name)
            throw Refusal(status: 422, reason: reason)
        }
        try file.finish()
        return true
    }

    private static func status(_ kind: OutputError.Kind) -> Int {
        switch kind {
        case .exists, .isInput: 409
        case .full: 507
        case .other: 500
        }
    }

    /// Number of bytes that wait to be written.
    var waiting: Int { queue.waiting }

    func add(_ bytes: UnsafeRawBufferPointer) { queue.put(bytes) }

    /// Called when the whole body has been received.
    func complete() {
        isReceived = true
        queue.complete()
    }

    /// Ends the upload without a file.
    func giveUp() {
        queue.close()
        job.giveUp()
    }

    /// nil until it has ended.
    var outcome: Outcome? { job.product ?? nil }
}
