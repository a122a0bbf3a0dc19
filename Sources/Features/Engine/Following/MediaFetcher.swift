import CRealtime
import FileOutput
import Hub
import Media

/// Fetches files that the followed engine uses over HTTP, in the background, one at a time. Used on the control thread only.
package final class MediaFetcher {
    /// Progress of a requested file.
    enum State: Equatable {
        /// Share that has been fetched, 0 to 1.
        case fetching(Double)
        case done
        /// The reason, as a sentence.
        case failed(String)
    }

    private struct Attempt {
        var state: State
        /// Times of the attempts that have failed.
        var failures = RetryTimer(first: pause, longest: longestPause)
    }

    /// Seconds that one file may take.
    private static let longest: Double = 86_400
    /// Nanoseconds before a file is tried again: the first wait, and the longest one, which doubling leads to.
    private static let (pause, longestPause): (UInt64, UInt64) = (30_000_000_000, 3_600_000_000_000)

    private let media: FollowedMedia
    private let files: MessageFiles
    private let library: Library
    private let worker: BackgroundWorker<MediaName, MediaFetch, Int64>
    private var attempts: [MediaName: Attempt] = [:]
    /// Files that have arrived since ``takeArrived()``.
    private var arrived: Set<MediaName> = []

    init(_ media: FollowedMedia, files: MessageFiles, library: Library) {
        (self.media, self.files, self.library) = (media, files, library)
        let makers = Dictionary(uniqueKeysWithValues: ClientFiles.Kind.allCases.map { ($0, files.clients.maker($0)) })
        worker = BackgroundWorker(name: "followed media", limit: Self.longest) { request, progress throws(MediaError) in
            do { try makers[request.file.kind]?() } catch { throw MediaError("\(error)") }
            return try request.run(progress)
        }
    }

    /// Fetches a file, unless it has been requested already or an attempt has just failed.
    func want(_ file: MediaName, now: UInt64) -> State {
        if let known = attempts[file] {
            guard case .failed = known.state, known.failures.isDue(now) else { return known.state }
        }
        // With a limit, the folders of the library have to be scanned first.
        guard library.space.isKnown else { return .fetching(0) }
        let state = request(file)
        note(state, of: file, now: now)
        return state
    }

    private func note(_ state: State, of file: MediaName, now: UInt64) {
        var attempt = attempts[file] ?? Attempt(state: state)
        attempt.state = state
        if case .failed = state { attempt.failures.note(now) }
        attempts[file] = attempt
    }

    private func request(_ file: MediaName) -> State {
        do throws(RequestError) {
            let path = try files.clients.path(file.name, file.kind)
            guard path == files.clients.folder(file.kind) + "/" + file.name, !file.name.contains("/") else {
                throw RequestError("\(file.name) is not directly in the folder of \(file.kind.rawValue); only such files are fetched")
            }
            let all = files.clients.accepted.filter { $0.folder == files.clients.folder(file.kind) && $0.name != ClientFiles.sidecars }
            guard let accepted = all.first(where: { $0.problem(file.name) == nil }) else {
                throw RequestError(all.first?.problem(file.name) ?? "files of this kind are not fetched")
            }
            worker.request(MediaFetch(file: file, media: media, path: path, space: library.space, accepted: accepted), for: file)
            return .fetching(0)
        } catch { return .failed("\(error)") }
    }

    /// The file that is being fetched, and its share; empty for none.
    var progress: String {
        let fetching = attempts.compactMap { file, attempt -> (name: String, share: Double)? in
            if case .fetching(let share) = attempt.state { (file.name, share) } else { nil }
        }
        guard let present = fetching.max(by: { ($0.share, $1.name) < ($1.share, $0.name) }) else { return "" }
        let more = fetching.count > 1 ? ", and \(fetching.count - 1) more" : ""
        return "\(present.name), \(Int(clamping: 100 * present.share)) %\(more)"
    }

    /// Stops fetching a file; a partial download is continued later.
    func forget(_ file: MediaName) {
        guard attempts.removeValue(forKey: file) != nil else { return }
        worker.request(nil, for: file)
    }

    /// Stops fetching sounds and impulse responses that are no longer wanted.
    func keep(_ wanted: Set<MediaName>) {
        for file in attempts.keys where file.kind != .recordings && !wanted.contains(file) { forget(file) }
    }

    /// Stops fetching all files.
    func forget() { for file in attempts.keys { forget(file) } }

    /// Takes results; called about thirty times a second.
    func settle(now: UInt64) {
        for report in worker.take() where attempts[report.key] != nil {
            let state: State =
                switch report.outcome {
                case .progress(let share): .fetching(share)
                case .done: .done
                case .refused(let error): .failed("\(error)")
                }
            note(state, of: report.key, now: now)
            guard case .done(let bytes) = report.outcome, bytes > 0 else { continue }
            arrived.insert(report.key)
            library.look()
        }
    }

    /// Returns the files that have arrived since the last call.
    func takeArrived() -> Set<MediaName> {
        defer { arrived = [] }
        return arrived
    }

    func stop() { worker.stop() }
}
