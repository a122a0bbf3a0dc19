import FileOutput
import Foundation
import Glibc
import Hub
import Media
import Parameters

/// The media library: the list of all files, whose sounds are measured one after the other by a thread of low priority. Used on the
/// control thread, which opens none.
package final class Library {
    private struct Measured: Sendable {
        let summary: SoundSummary?
        let problem: String?
    }

    private struct Document: Encodable {
        let files: [LibraryFile]
        /// Bytes of all files, and how many are allowed; nil for no limit.
        let size: Int64
        let limit: Int64?
        /// Sounds that have not been measured yet.
        let waiting: Int
        let isCut: Bool
    }

    /// Ticks between two looks at the folders, at least.
    private static let ticks = 60
    /// Ticks between two lists while sounds are being measured.
    private static let listTicks = 15
    private let hub: Hub
    private let files: MessageFiles
    package let folders: [LibraryFolder]
    /// Bytes of all files at most, for those that clients send; nil for no limit.
    private let limit: Int64?
    private let cache: SummaryCache
    private let work = SerialWork(name: "library")
    private let found = Mailbox<LibraryScan>()
    private let known = Mailbox<[SummaryKey: SoundSummary]>()
    private let worker = BackgroundWorker<Int, SummaryKey, Measured>(name: "library sounds") { key, progress throws(MediaError) in
        do throws(MediaError) {
            return try SoundSummary(path: key.path, progress: progress).map { Measured(summary: $0, problem: nil) }
        } catch {
            return Measured(summary: nil, problem: "\(error)")
        }
    }
    /// The list in JSON; nil until the folders were read.
    package private(set) var list: [UInt8]?
    /// Bytes of all files.
    package private(set) var size: Int64 = 0
    private var scan: [LibraryFile] = []
    private var isCut = false
    private var measured: [SummaryKey: Measured] = [:]
    private var isCacheRead = false
    private var present: SummaryKey?
    private var (nextLook, nextList) = (0, 0)
    private var tickCount = 0
    private var hasNews = false
    private var isUnsaved = false

    /// - Parameters:
    ///   - further: folders that are listed as well, and never changed.
    ///   - limit: bytes of all files at most; nil for no limit.
    init(hub: Hub, files: MessageFiles, further: [String], limit: Int64?) {
        (self.hub, self.files, self.limit) = (hub, files, limit)
        folders = LibraryFolder.own(files.clients) + further.enumerated().map { .further($1, number: $0 + 1) }
        cache = .standard
    }

    func connect() {
        let delete = hub.tree.index(LibraryParameter.delete)
        hub.onNeed(delete, isReplaced: false) { [unowned self] value, _ in try files.write(deleting(value)) }
        hub.onSet(delete) { [unowned self] value, _ in
            _ = try files.written(deleting(value))
            look()
        }
    }

    /// Path of the file at `/library/PLACE/NAME`; nil for none. Whether it exists is not asked.
    package func folder(of place: String) -> String? { folders.first { $0.place == place }?.path }

    /// Whether a file of so many bytes more is allowed.
    package func hasRoom(for bytes: Int64) -> Bool { limit.map { size + bytes <= $0 } ?? true }

    // MARK: Following the folders

    /// Takes what was found and measured; called some thirty times a second.
    func tick() {
        tickCount += 1
        if !isCacheRead, let known = known.take() {
            isCacheRead = true
            for (key, summary) in known { measured[key] = Measured(summary: summary, problem: nil) }
        }
        if let new = found.take() { follow(new) }
        for report in worker.take() { settle(report) }
        if files.isInBackground, tickCount >= nextLook { look() }
        if isCacheRead { measureNext() }
        if hasNews, tickCount >= nextList { publish() }
    }

    /// Looks at the folders again soon: a file has come.
    package func look() {
        // A folder that does not answer is not asked twice.
        guard !work.isBusy else { return }
        nextLook = tickCount + Self.ticks
        work.add { [folders, found, known, cache, isFirst = list == nil] in
            if isFirst { known.put(cache.read()) }
            found.put(LibraryScan(folders))
        }
    }

    private func follow(_ new: LibraryScan) {
        // Folders with thousands of files, or on a slow disk, are looked at less often.
        nextLook = tickCount + max(Self.ticks, Int(clamping: new.seconds * 50 * 30))
        guard new.files != scan || list == nil else { return }
        (scan, isCut, size) = (new.files, new.isCut, new.size)
        let keys = Set(scan.map(key))
        if measured.contains(where: { !keys.contains($0.key) }) {
            measured = measured.filter { keys.contains($0.key) }
            isUnsaved = true
        }
        (hasNews, nextList) = (true, tickCount)
    }

    private func key(_ file: LibraryFile) -> SummaryKey {
        let folder = folders.first { $0.place == file.place }?.path ?? ""
        return SummaryKey(path: folder + "/" + file.name, size: file.size, changed: file.changed)
    }

    private func isSound(_ file: LibraryFile) -> Bool {
        LibraryFolder.sounds.contains(URL(filePath: file.name).pathExtension.lowercased())
    }

    // MARK: Measuring

    private func measureNext() {
        guard present == nil, let next = scan.first(where: { isSound($0) && measured[key($0)] == nil }) else {
            if present == nil, isUnsaved { save() }
            return
        }
        present = key(next)
        worker.order(present, for: 0)
    }

    private func settle(_ report: BackgroundWorker<Int, SummaryKey, Measured>.Report) {
        switch report.outcome {
        case .progress: return
        case .done(let result): measured[report.order] = result
        case .refused(let error): measured[report.order] = Measured(summary: nil, problem: "\(error)")
        }
        present = nil
        (hasNews, isUnsaved) = (true, true)
    }

    private func save() {
        isUnsaved = false
        let summaries = measured.compactMapValues(\.summary)
        // A cache that cannot be written costs nothing but measuring everything again at the next start.
        work.add { [cache] in try? cache.write(summaries) }
    }

    private func publish() {
        (hasNews, nextList) = (false, tickCount + Self.listTicks)
        var waiting = 0
        let files = scan.map { file in
            var file = file
            guard isSound(file) else { return file }
            guard let known = measured[key(file)] else {
                waiting += 1
                return file
            }
            (file.sound, file.problem) = (known.summary, known.problem)
            return file
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document = Document(files: files, size: size, limit: limit, waiting: waiting, isCut: isCut)
        list = (try? encoder.encode(document)).map { [UInt8]($0) }
        let index = hub.tree.index(LibraryParameter.changes)
        hub.publish(index, .number(hub.value(index).numbers[0] + 1))
    }

    // MARK: Deleting

    private func deleting(_ value: ParameterValue) throws -> FileWriting {
        let text = value.text ?? ""
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let folder = folders.first(where: { $0.place == parts[0] }) else {
            throw RequestError("\"\(text.prefix(120))\" names no file of the library: give PLACE/NAME as /library lists them")
        }
        guard !folder.isReadOnly else {
            throw RequestError("\(text.prefix(120)) is not deleted: the library only reads this folder; /take/delete deletes takes")
        }
        guard let file = scan.first(where: { $0.place == parts[0] && $0.name == parts[1] }) else {
            throw RequestError("there is no file \(parts[1].prefix(120)) in \(folder.path); /library lists them")
        }
        return FileWriting {
            try LibraryTrash(folder: folder.path).take(file.name)
            return .written
        }
    }

    func stop() {
        worker.stop()
        _ = work.finish(within: 2)
    }
}
