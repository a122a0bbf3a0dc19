import Hub
import Media
import Parameters
import Rack
import Session

/// Provides files to handlers on the control thread. While sound is running, that thread never opens a file itself: other threads have read
/// the files by the time the handler runs.
///
/// Before the sound starts, files are read on demand.
package final class MessageFiles {
    /// Whether sound is running, so that files are read on other threads.
    package var isInBackground = false
    /// Path of the loaded recording.
    var recording: () -> String = { "" }
    private var reader: FileReader
    /// Files of the message that is being handled.
    private var present: ReadFiles?
    private var wake: @Sendable () -> Void = {}

    /// The files that clients may name.
    package let clients: ClientFiles

    package init(_ reader: FileReader = FileReader(), clients: ClientFiles) {
        self.reader = reader
        self.clients = clients
    }

    /// Opens recordings for the renderer.
    func connect(_ open: @escaping @Sendable (String) throws(MediaError) -> OpenedRecording) { reader.open = open }

    /// - Parameter wake: called on another thread when files have been read.
    package func onRead(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

    // MARK: Before a handler runs

    /// Starts to read the files that a message needs.
    /// - Returns: nil when the handler may run at once.
    func read(_ requests: [FileRequest]) throws -> (any PendingWork)? {
        guard isInBackground, !requests.isEmpty else { return nil }
        let (reader, recording) = (admitting, recording())
        let job = try BackgroundJob(name: "files", onEnd: wake) { isWanted in
            reader.read(requests, recording: recording, isWanted: isWanted)
        }
        return FileWork(job, messageFiles: self)
    }

    /// Runs a handler with these files available to it.
    func use(_ files: ReadFiles, _ handler: () -> Void) {
        present = files
        handler()
        present = nil
    }

    /// Starts to write the file of a message.
    /// - Returns: nil when the handler has to write the file itself.
    func write(_ writing: @autoclosure () throws -> FileWriting) throws -> (any PendingWork)? {
        isInBackground ? try read([.writing(try writing())]) : nil
    }

    // MARK: While a handler runs

    /// - Returns: nil when the file was not read and sound is running.
    private func contents(_ request: FileRequest) throws -> ReadFiles.Contents? {
        if let result = present?.results[request] { return try result.get() }
        return isInBackground ? nil : try admitting.contents(request)
    }

    /// The reader, restricted to the files that clients may use at present.
    private var admitting: FileReader {
        var reader = reader
        reader.isAllowed = clients.admission
        return reader
    }

    /// The recording, opened for the renderer; nil before the sound starts.
    func opened(_ path: String) throws -> OpenedRecording? {
        guard isInBackground else { return nil }
        guard case .recording(let opened) = try contents(.recording(path)) else { throw unread(path) }
        return opened
    }

    /// - Parameter isLoaded: whether the session is to be loaded.
    func session(_ path: String, isLoaded: Bool) throws -> SessionFile {
        guard case .session(let session) = try contents(isLoaded ? .loadedSession(path) : .session(path)) else { throw unread(path) }
        return session
    }

    func rack(_ path: String) throws -> RackDescription {
        guard case .rack(let rack) = try contents(.rack(path)) else { throw unread(path) }
        return rack
    }

    func video(_ path: String) throws -> VideoFacts {
        guard case .video(let facts) = try contents(.video(path)) else { throw unread(path) }
        return facts
    }

    func room(_ path: String) throws -> RoomFile {
        guard case .room(let room) = try contents(.room(path)) else { throw unread(path) }
        return room
    }

    /// Path of a sound of the library.
    func sound(_ name: String) throws -> String {
        guard case .usable(let path) = try contents(.sound(name)) else { throw unread(name) }
        return path
    }

    /// Throws if a file cannot be used. A file that was not read in advance is checked when it is read.
    func check(_ request: FileRequest) throws { _ = try contents(request) }

    /// The result of writing the file of the message; before the sound starts, the file is written now.
    /// - Throws: the reason why it was not written.
    @discardableResult
    func written(_ writing: @autoclosure () throws -> FileWriting) throws -> ReadFiles.Contents {
        if let result = present?.writing { return try result.get() }
        guard !isInBackground else { throw RequestError("the file was not written; send it in a separate message") }
        return try writing().contents()
    }

    private func unread(_ path: String) -> RequestError { RequestError("\(path) was not read; set it in a separate message") }
}

/// The reading of files that a client's message waits for.
final class FileWork: PendingWork {
    private let job: BackgroundJob<ReadFiles>
    private let messageFiles: MessageFiles

    init(_ job: BackgroundJob<ReadFiles>, messageFiles: MessageFiles) { (self.job, self.messageFiles) = (job, messageFiles) }

    var isDone: Bool { job.product != nil }

    /// The files, once they have been read.
    var product: ReadFiles? { job.product }

    let limit: UInt64 = 30_000_000_000

    func use(_ handler: () -> Void) {
        guard let files = job.product else { return }
        messageFiles.use(files, handler)
    }

    func giveUp() { job.giveUp() }
}
