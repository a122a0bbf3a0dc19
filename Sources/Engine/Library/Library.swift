import Archives
import FileOutput
import Foundation
import Glibc
import Hub
package import Media
import Parameters

/// The media library: the list of all files, whose sounds are measured one after the other by a thread of low priority. Used on the
/// control thread, which opens none.
package final class Library {
    private typealias Measured = LibraryDocument.Measured

    /// Ticks between two looks at the folders, at least.
    private static let ticks = 60
    /// Ticks between two lists while sounds are being measured, at least, and files for each tick more: clients fetch the whole list.
    private static let (listTicks, filesPerTick) = (15, 50)
    private let hub: Hub
    private let files: MessageFiles
    package private(set) var folders: [LibraryFolder]
    /// Bytes of all files at most, for those that clients send; nil for no limit.
    private let limit: Int64?
    private let cache: SummaryCache
    private let copies: RecordingCopies
    private let work = SerialWork(name: "library")
    private let found = Mailbox<LibraryScan>()
    private let known = Mailbox<[SummaryKey: SoundSummary]>()
    private let worker = BackgroundWorker<Int, SoundOrder, Measured>(name: "library sounds") { order, progress throws(MediaError) in
        do throws(MediaError) {
            return try order.summary(progress).map { Measured(summary: $0, problem: nil) }
        } catch {
            return Measured(summary: nil, problem: "\(error)")
        }
    }
    private let made = Mailbox<LibraryIndex>()
    private var index: LibraryIndex?
    private var scan: LibraryScan?
    private var measured: [SummaryKey: Measured] = [:]
    /// Sounds that have not been measured, the next one last.
    private var waiting: [SummaryKey] = []
    private var isCacheRead = false
    private var isMeasuring = false
    private var (nextLook, nextList) = (0, 0)
    private var tickCount = 0
    private var hasNews = false
    private var isUnsaved = false
    /// Bytes of files that clients have sent since the last scan began, and before that, since the one before.
    private var (arrived, arrivedBefore): (Int64, Int64) = (0, 0)
    private var emptying: BackgroundJob<OutputError?>?

    /// - Parameters:
    ///   - further: folders that are listed as well, and never changed.
    ///   - limit: bytes of all files at most; nil for no limit.
    init(hub: Hub, files: MessageFiles, further: [String], limit: Int64?) {
        (self.hub, self.files, self.limit) = (hub, files, limit)
        folders = LibraryFolder.own(files.clients) + further.enumerated().map { .further($1, number: $0 + 1) }
        cache = .standard
        copies = RecordingCopies(hub: hub)
    }

    func connect() {
        let delete = hub.tree.index(LibraryParameter.delete)
        hub.onNeed(delete, isReplaced: false) { [unowned self] value, _ in try files.write(deleting(value)) }
        hub.onSet(delete) { [unowned self] value, _ in
            _ = try files.written(deleting(value))
            look()
        }
        hub.onSet(hub.tree.index(LibraryParameter.emptyTrash)) { [unowned self] _, _ in try emptyTrash() }
        let about = hub.tree.index(LibraryParameter.about)
        hub.onNeed(about, isReplaced: false) { [unowned self] value, _ in try files.write(describing(value)) }
        hub.onSet(about) { [unowned self] value, _ in
            _ = try files.written(describing(value))
            look()
        }
        for (parameter, writing) in [(LibraryParameter.correct, correcting), (.join, joining)] {
            hub.onSet(hub.tree.index(parameter)) { [unowned self] value, _ in try copies.begin(writing(value)) }
        }
    }

    /// Path of the folder of the file at `/library/PLACE/NAME`; nil for none. Whether the file exists is not asked.
    package func folder(of place: String, for name: String) -> String? {
        folders.first { $0.place == place && $0.holds(name) }?.path
    }

    /// The spectrogram of a sound; nil until it has been measured.
    package func spectrogram(of place: String, _ name: String) -> SoundSpectrogram? {
        guard let file = scan?.files.first(where: { $0.place == place && $0.name == name }), let key = LibraryScan.key(file, folders) else {
            return nil
        }
        return measured[key]?.summary?.spectrogram
    }

    /// Lists recordings and videos that the command line names. They are only read.
    /// - Parameter paths: absolute ones; those in folders that are listed anyway are left out.
    func name(_ paths: [String]) {
        for path in paths {
            let new = LibraryFolder.named(path, number: folders.count { $0.only != nil } + 1)
            if !folders.contains(where: { $0.path == new.path && $0.holds(new.only ?? "") }) { folders.append(new) }
        }
    }

    /// Bytes by which all files may grow; nil for no limit. None before the folders have been read.
    var room: Int64? { limit.map { limit in scan.map { max(0, limit - $0.size - arrived - arrivedBefore) } ?? 0 } }

    /// Whether files of so many bytes more are allowed; nil until the folders have been read.
    package func hasRoom(for bytes: Int64) -> Bool? { limit != nil && scan == nil ? nil : room.map { bytes <= $0 } ?? true }

    /// A client has sent a file of so many bytes.
    package func add(_ bytes: Int64) {
        arrived += bytes
        look()
    }

    /// The list in JSON; nil until the folders were read.
    package var list: [UInt8]? { index?.bytes }

    /// A part of the list in JSON, as ``LibraryIndex/page(search:kind:tag:order:from:count:)`` makes it; nil until the folders were read.
    package func page(search: String, kind: String, tag: String, order: String, from: Int, count: Int) -> [UInt8]? {
        index?.page(search: search, kind: kind, tag: tag, order: order, from: from, count: count)
    }

    // MARK: Following the folders

    /// Takes what was found and measured; called some thirty times a second.
    func tick() {
        tickCount += 1
        if !isCacheRead, let known = known.take() {
            isCacheRead = true
            measured = known.mapValues { Measured(summary: $0, problem: nil) }
        }
        if let new = found.take() { follow(new) }
        for report in worker.take() { settle(report) }
        if copies.tick() { look() }
        if let outcome = emptying?.product {
            emptying = nil
            if let failure = outcome { hub.notice("the trash is not empty: \(failure.reason)") }
            look()
        }
        if files.isInBackground, tickCount >= nextLook { look() }
        measureNext()
        if hasNews, tickCount >= nextList { makeList() }
        guard let new = made.take() else { return }
        index = new
        let changes = hub.tree.index(LibraryParameter.changes)
        hub.publish(changes, .number(hub.value(changes).numbers[0] + 1))
    }

    /// Looks at the folders again soon: a file has come.
    package func look() {
        // A folder that does not answer is not asked twice.
        guard !work.isBusy else { return }
        nextLook = tickCount + Self.ticks
        (arrivedBefore, arrived) = (arrivedBefore + arrived, 0)
        let abouts = scan?.abouts ?? AboutScan()
        let clients = files.clients
        let leftovers = LibraryLeftovers(folders: [clients.sentArchives, clients.madeArchives, clients.acceptedCovers.folder])
        work.add { [folders, found, known, cache, isFirst = scan == nil, kinds = clients.archiveKinds] in
            if isFirst {
                ArchiveImport.settle(kinds)
                known.put(cache.read())
            }
            found.put(LibraryScan(folders, known: abouts, leftovers: leftovers))
        }
    }

    private func follow(_ new: LibraryScan) {
        arrivedBefore = 0
        // Folders with thousands of files, or on a slow disk, are looked at less often.
        nextLook = tickCount + max(Self.ticks, Int(clamping: new.seconds * 50 * 30))
        guard new.files != scan?.files || new.sounds != scan?.sounds || new.size != scan?.size else { return }
        scan = new
        // Measurements of files that are gone or have changed are kept for a while: files come back.
        if measured.count > 2 * new.sounds.count + 1000 {
            let present = Set(new.sounds)
            measured = measured.filter { present.contains($0.key) }
        }
        waiting = new.sounds.reversed().filter { measured[$0] == nil }
        (hasNews, nextList) = (true, tickCount)
    }

    // MARK: Measuring

    private func measureNext() {
        guard !isMeasuring, isCacheRead else { return }
        guard let next = waiting.popLast() else {
            if isUnsaved { save() }
            return
        }
        guard measured[next] == nil else { return }
        isMeasuring = true
        worker.order(SoundOrder(key: next, isRing: scan?.rings.contains(next) ?? false), for: 0)
    }

    private func settle(_ report: BackgroundWorker<Int, SoundOrder, Measured>.Report) {
        switch report.outcome {
        case .progress: return
        case .done(let result): measured[report.order.key] = result
        case .refused(let error): measured[report.order.key] = Measured(summary: nil, problem: "\(error)")
        }
        isMeasuring = false
        (hasNews, isUnsaved) = (true, true)
    }

    /// Keeps the measurements of the files that are there. A cache that cannot be written costs nothing but measuring again at the next
    /// start.
    private func save() {
        isUnsaved = false
        work.add { [cache, measured, sounds = scan?.sounds ?? []] in
            let present = Set(sounds)
            try? cache.write(measured.filter { present.contains($0.key) }.compactMapValues(\.summary))
        }
    }

    private func makeList() {
        guard let scan else { return }
        (hasNews, nextList) = (false, tickCount + Self.listTicks + scan.files.count / Self.filesPerTick)
        work.add { [made, measured, folders, limit] in
            made.put(LibraryIndex(LibraryDocument(scan, measured, folders: folders, limit: limit)))
        }
    }

    // MARK: Deleting and describing

    /// The folder and the name of a file that clients call PLACE/NAME.
    private func place(_ text: String) throws -> (LibraryFolder, [String]) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let folder = folders.first(where: { $0.place == parts[0] }) else {
            throw RequestError("\"\(text.prefix(120))\" names no file of the library: give PLACE/NAME as /library lists them")
        }
        return (folder, parts)
    }

    private func found(_ parts: [String], in folder: LibraryFolder) throws -> LibraryFile {
        guard let file = scan?.files.first(where: { $0.place == parts[0] && $0.name == parts[1] }) else {
            throw RequestError("there is no file \(parts[1].prefix(120)) in \(folder.path); /library lists them")
        }
        return file
    }

    private func describing(_ value: ParameterValue) throws -> FileWriting {
        let change = try AboutChange(json: value.text ?? "")
        let (folder, parts) = try place(change.file)
        guard folder.isOwn else { throw RequestError("\(change.file.prefix(120)) is not described: the library only reads this folder") }
        let file = try found(parts, in: folder)
        let pictures = files.clients.acceptedCovers
        return FileWriting {
            try change.write(folder.path + "/" + file.name, pictures: pictures)
            return .written
        }
    }

    // MARK: Recordings of others

    /// Path of a file that clients call PLACE/NAME.
    private func path(_ text: String) throws -> String {
        let (folder, parts) = try place(text)
        return try folder.path + "/" + found(parts, in: folder).name
    }

    private func correcting(_ value: ParameterValue) throws -> @Sendable (_ isWanted: () -> Bool) throws -> Void {
        let (path, folder) = (try path(value.text ?? ""), files.clients.folder(.recordings))
        return { isWanted in try RingCopy.correct(path, in: folder, isWanted: isWanted) }
    }

    private func joining(_ value: ParameterValue) throws -> @Sendable (_ isWanted: () -> Bool) throws -> Void {
        let join = try RingJoin(json: value.text ?? "")
        let (paths, recordings) = (
            try join.files.map(path), files.clients.accepted.first { $0.name == ClientFiles.Kind.recordings.rawValue }
        )
        guard let recordings else { throw RequestError("there is no folder of recordings") }
        if let problem = recordings.problem(join.name + ".wav") { throw RequestError("the name is refused: \(problem)") }
        return { isWanted in try RingCopy.join(paths, to: recordings.folder + "/" + join.name + ".wav", isWanted: isWanted) }
    }

    private func emptyTrash() throws {
        guard emptying == nil else { throw RequestError("the trash is being emptied already") }
        let folders = folders.filter(\.hasTrash).map(\.path)
        emptying = BackgroundJob(name: "trash", onEnd: {}) { _ in
            var failure: OutputError?
            for folder in folders {
                do throws(OutputError) { try Trash(of: folder).empty() } catch { failure = error }
            }
            return failure
        }
        guard emptying != nil else { throw RequestError("too many files are being written; try again in a moment") }
    }

    private func deleting(_ value: ParameterValue) throws -> FileWriting {
        let text = value.text ?? ""
        let (folder, parts) = try place(text)
        guard !folder.isReadOnly else {
            let others = ["takes": "; /take/delete deletes takes", "sessions": "; /session/delete deletes sessions"]
            throw RequestError("\(text.prefix(120)) is not deleted: the library only reads this folder\(others[folder.place] ?? "")")
        }
        let file = try found(parts, in: folder)
        return FileWriting {
            do throws(OutputError) { try Trash(of: folder.path).take(file.name) } catch {
                throw RequestError("\(file.name) is not deleted: \(error.reason)")
            }
            return .written
        }
    }

    func stop() {
        worker.stop()
        copies.stop()
        _ = work.finish(within: 2)
    }
}
