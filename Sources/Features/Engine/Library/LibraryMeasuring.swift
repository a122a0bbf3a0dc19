import Hub
import Media
import Threads

/// Reads sounds, videos and HRTFs of the media library one after the other, on a thread of low priority. Used on the control thread.
final class LibraryMeasuring {
    typealias Measured = LibraryDocument.Measured

    /// Maximum number of kept facts about files that are gone, 5 kB each.
    private static let mostGone = 100

    private let cache = SummaryCache.standard
    private let work: SerialWork
    private let known = Mailbox<[SummaryKey: FileFacts]>()
    private let worker = BackgroundWorker<Int, FactsRequest, Measured>(name: "library files") { request, progress throws(MediaError) in
        do throws(MediaError) {
            return try request.facts(progress).map { Measured(facts: $0, problem: nil) }
        } catch {
            return Measured(facts: nil, problem: request.problem(error))
        }
    }
    private(set) var measured: [SummaryKey: Measured] = [:]
    /// Files that have not been read, the next one last.
    private var waiting: [SummaryKey] = []
    private var files: [SummaryKey] = []
    private var contents: [SummaryKey: FactsRequest.Content] = [:]
    private var isCacheRead = false
    private var isMeasuring = false
    private var isUnsaved = false

    /// - Parameter work: writes the cache.
    init(work: SerialWork) { self.work = work }

    /// Reads the measurements of earlier runs; for a thread that may wait.
    var cacheReader: @Sendable () -> Void { { [known, cache] in known.put(cache.read()) } }

    /// Takes the measurements of earlier runs once they were read.
    func takeCache() {
        guard !isCacheRead, let known = known.take() else { return }
        isCacheRead = true
        measured = known.mapValues { Measured(facts: $0, problem: nil) }
    }

    /// Reads the files of a scan that have not been read yet.
    func follow(_ scan: LibraryScan) {
        (files, contents) = (scan.contents.map(\.key), Dictionary(scan.contents.map { ($0.key, $0.content) }) { $1 })
        // Facts about files that are gone or have changed are kept for a while, since files may reappear.
        if measured.count > files.count + Self.mostGone {
            let present = Set(files)
            measured = measured.filter { present.contains($0.key) }
        }
        waiting = files.reversed().filter { measured[$0] == nil }
    }

    /// Takes the results of the thread; returns whether there are new ones.
    func settle() -> Bool {
        var isNews = false
        for report in worker.take() {
            switch report.outcome {
            case .progress: continue
            case .done(let result): measured[report.request.key] = result
            case .refused(let error): measured[report.request.key] = Measured(facts: nil, problem: report.request.problem(error))
            }
            isMeasuring = false
            (isNews, isUnsaved) = (true, true)
        }
        return isNews
    }

    /// Begins the next measurement, or saves the results when there are no files left.
    func next() {
        guard !isMeasuring, isCacheRead else { return }
        guard let next = waiting.popLast() else {
            if isUnsaved { save() }
            return
        }
        guard measured[next] == nil, let content = contents[next] else { return }
        isMeasuring = true
        worker.request(FactsRequest(key: next, content: content), for: 0)
    }

    /// Saves the measurements of existing files. If the cache cannot be written, the files are only measured again at the next start.
    private func save() {
        isUnsaved = false
        work.add { [cache, measured, files] in
            let present = Set(files)
            try? cache.write(measured.filter { present.contains($0.key) }.compactMapValues(\.facts))
        }
    }

    func stop() { worker.stop() }
}
