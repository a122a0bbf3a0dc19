internal import Synchronization
internal import Threads

/// The answer to a request for one of the user's files. Another thread finds and opens it: a disk or a network may take long.
package struct FileAnswer: Sendable {
    /// Requests for files in one place are answered one after the other.
    let place: String
    /// Folder that holds the file. It may have been made since the start.
    let folder: String
    /// Relative to the folder.
    let path: String
    let conditions: FileConditions
    /// Completes or replaces the answer.
    let adapt: @Sendable (Response) -> Response

    /// Opens the file; called on another thread than the control thread.
    func make() -> Response { adapt(StaticFiles(folder).answer(path, conditions)) }
}

extension Response {
    /// A file that another thread opens and reads.
    package static func file(
        _ path: String, in folder: String, of place: String? = nil, _ request: Request,
        adapt: @escaping @Sendable (Response) -> Response = { $0 }
    ) -> Response {
        let answer = FileAnswer(place: place ?? folder, folder: folder, path: path, conditions: FileConditions(request), adapt: adapt)
        return Response(status: 200, body: .later(answer))
    }

    /// A download, or another answer where there is no such file.
    package static func download(_ path: String, in folder: String, _ request: Request, missing: String) -> Response {
        file(path, in: folder, request) { response in
            guard response.status < 300 || response.status == 304 || response.status == 416 else { return .text(404, missing) }
            var response = response
            response.headers.append(("content-disposition:", "attachment"))
            return response
        }
    }
}

/// Answers requests for the user's files on threads of their own, one for each folder: a disk that does not answer holds up the requests
/// for its own files, and nothing else. Used on the control thread.
final class FileDesk: LaterAnswers {
    /// Requests that may wait for the files of one folder.
    private static let mostWaiting = 64
    /// Folders with a thread of their own; further ones share another.
    private static let mostFolders = 16

    /// A folder's thread, and the number of requests that wait for it, those of closed connections included.
    private struct Folder {
        let work = SerialWork(name: "downloads")
        var waiting = 0
    }

    private let deadlines: RequestDeadlines
    private let mailbox: FileMailbox
    private let onOpen: @Sendable (String) -> Void
    private var folders: [String: Folder] = [:]
    /// Requests that wait, by number, and the number of each connection.
    private var requests: [Int: (connection: Connection, folder: String)] = [:]
    private var numbers: [Connection: Int] = [:]
    private var latest = 0
    private var answers: [Connection: Response] = [:]

    /// - Parameters:
    ///   - wake: wakes the loop, which then calls ``settle()``.
    ///   - onOpen: called with the folder before a file is opened, on the folder's thread.
    init(deadlines: RequestDeadlines, wake: @escaping @Sendable () -> Void, onOpen: @escaping @Sendable (String) -> Void) {
        (self.deadlines, mailbox, self.onOpen) = (deadlines, FileMailbox(wake: wake), onOpen)
    }

    /// Lets a file be opened.
    /// - Returns: the answer when too many requests wait already.
    func begin(_ connection: Connection, _ answer: FileAnswer, isHead: Bool) -> Response? {
        let name = folders[answer.place] == nil && folders.count >= Self.mostFolders ? "" : answer.place
        var folder = folders[name] ?? Folder()
        guard folder.waiting < Self.mostWaiting else {
            var response = Response.text(503, "\(folder.waiting) requests wait for files of this folder already: its disk is slow")
            response.headers.append(("retry-after:", "1"))
            return response
        }
        folder.waiting += 1
        folders[name] = folder
        latest += 1
        (requests[latest], numbers[connection]) = ((connection, name), latest)
        deadlines.noteProgress(connection)
        connection.pauseReading()
        folder.work.add { [mailbox, onOpen, number = latest, work = folder.work] in
            onOpen(answer.folder)
            mailbox.put(Self.feed(answer.make(), work: work, mailbox, isHead: isHead), for: number)
        }
        return nil
    }

    /// The answer with the first bytes of its file.
    private static func feed(_ response: Response, work: SerialWork, _ mailbox: FileMailbox, isHead: Bool) -> Response {
        guard case .file(let file, let range) = response.body, !range.isEmpty else { return response }
        let feed = FileFeed(file, range, work: work) { mailbox.noteBytes() }
        if !isHead { feed.read() }
        var response = response
        response.body = .feed(feed, count: range.count)
        return response
    }

    /// Takes answers.
    /// - Returns: whether files have more bytes to send.
    func settle() -> Bool {
        for (number, response) in mailbox.takeAnswers() {
            guard let request = requests.removeValue(forKey: number) else { continue }
            folders[request.folder]?.waiting -= 1
            guard numbers[request.connection] == number else { continue }
            numbers[request.connection] = nil
            answers[request.connection] = response
            request.connection.resumeReading()
            request.connection.requestWriting()
        }
        return mailbox.takeNews()
    }

    func take(_ connection: Connection) -> Response? { answers.removeValue(forKey: connection) }

    func remove(_ connection: Connection) {
        numbers[connection] = nil
        answers[connection] = nil
    }
}

/// Results on their way from the threads that open and read files to the control thread.
final class FileMailbox: Sendable {
    private let made = Mutex<[Int: Response]>([:])
    private let hasBytes = Atomic(false)
    private let wake: @Sendable () -> Void

    /// - Parameter wake: wakes the control thread.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Delivers the answer to a request by its number.
    func put(_ response: Response, for number: Int) {
        made.withLock { $0[number] = response }
        wake()
    }

    /// Notes that a file has more bytes to send.
    func noteBytes() {
        hasBytes.store(true, ordering: .releasing)
        wake()
    }

    func takeAnswers() -> [Int: Response] {
        made.withLock { made in
            defer { made = [:] }
            return made
        }
    }

    /// Whether any file has had more bytes since the last call.
    func takeNews() -> Bool { hasBytes.exchange(false, ordering: .acquiringAndReleasing) }
}
