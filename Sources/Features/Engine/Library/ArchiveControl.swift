import Archives
import FileOutput
import Files
import Foundation
import Glibc
import Hub
import Media
import Parameters
import Synchronization

/// Exports and imports of archives for clients, one at a time, on a thread of low priority. Used on the control thread.
package final class ArchiveControl {
    private let hub: Hub
    private let files: MessageFiles
    private let library: Library
    private let version: String
    private let isBlind: () -> Bool
    private let progress = Mailbox<Double>()
    private var job: BackgroundJob<ArchiveState>?
    private var wish: Wish?
    private var state: ArchiveState?

    /// Whether the current work is still wanted.
    private final class Wish: Sendable {
        private let value = Atomic(true)
        var isThere: Bool { value.load(ordering: .relaxed) }
        func end() { value.store(false, ordering: .relaxed) }
    }

    private static let niceness: Int32 = 10
    /// Places in addresses: `/library/exports/NAME` and `/library/archives/NAME`.
    private static let exports = "exports"

    /// - Parameter isBlind: whether a listening test is under way, whose conditions and results may not be read.
    init(hub: Hub, files: MessageFiles, library: Library, version: String, isBlind: @escaping () -> Bool) {
        (self.hub, self.files, self.library, self.version, self.isBlind) = (hub, files, library, version, isBlind)
    }

    private func index(_ parameter: ArchiveParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        hub.onSet(index(.export)) { [unowned self] value, _ in try export(value.text ?? "") }
        hub.onSet(index(.import)) { [unowned self] value, _ in try read(value.text ?? "") }
        hub.onSet(index(.cancel)) { [unowned self] _, _ in
            guard job != nil else { throw RequestError("no archive is being exported or imported") }
            // The work may have ended already: the state shows it.
            wish?.end()
        }
    }

    /// Path of the folder of archives that are served at a place; nil for another place.
    package func folder(of place: String) -> String? {
        switch place {
        // An export may contain tests and results.
        case Self.exports: isBlind() ? nil : files.clients.madeArchives
        case ClientFiles.archives: files.clients.sentArchives
        default: nil
        }
    }

    // MARK: Orders

    private func export(_ text: String) throws {
        let (all, words) = (files.clients.archiveKinds, Set(text.split(separator: " ").map(String.init)))
        if let unknown = words.subtracting(all.map(\.name)).min() {
            throw RequestError("\"\(unknown.prefix(60))\" is not a kind of files; the kinds are \(all.map(\.name).joined(separator: ", "))")
        }
        let kinds = words.isEmpty ? all.filter(\.isStandard) : all.filter { words.contains($0.name) }
        guard !isBlind() || !kinds.contains(where: { ["tests", "results"].contains($0.name) }) else {
            throw RequestError("tests and results are not exported while a listening test is running")
        }
        let (folder, version) = (files.clients.madeArchives, version)
        let name = "vestibule-" + TakeFolder.time(Date()) + "." + ArchiveFormat.zstandard.rawValue
        try begin(ArchiveState(phase: .exporting, name: name, share: 0)) { progress in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let former = FilePlace.names(in: folder)
            // An archive made in the same second has the same name.
            let output = try OutputFile(folder + "/" + name, existing: .replaced)
            guard let report = try ArchiveExport(kinds, program: version).write(to: output, .zstandard, progress: progress) else {
                return nil
            }
            // One archive is kept: it may be as large as all files.
            for old in former where old != name { PartialFile.remove(folder + "/" + old) }
            return .exported(name, size: (try? RegularFile(folder + "/" + name).size) ?? 0, report)
        }
    }

    private func read(_ name: String) throws {
        let sent = files.clients.acceptedArchives
        if let problem = sent.problem(name) { throw RequestError("\"\(name.prefix(120))\" is not an uploaded archive: \(problem)") }
        let (path, kinds, space) = (sent.folder + "/" + name, files.clients.archiveKinds, library.space)
        try begin(ArchiveState(phase: .importing, name: name, share: 0)) { progress in
            var isStored = false
            defer { space.end("import \(path)", isStored: isStored) }
            do {
                let archive = ArchiveImport(kinds) { space.promise($0, to: "import \(path)") == true ? nil : space.room }
                let report = try archive.read(path, progress: progress)
                isStored = report != nil
                PartialFile.remove(path)
                return report.map { .imported(name, $0) }
            } catch let error as FileError where error.isMissing {
                throw RequestError("there is no archive \(name); first upload it to /files/archives or /library/uploads")
            } catch {
                let isKept = error is OutputError || (error as? ArchiveError)?.mayPass == true
                if !isKept { PartialFile.remove(path) }
                let advice = isKept ? "; the archive is kept: import it again afterwards" : ""
                throw RequestError("\(name) was not imported, and nothing was changed: \(error)\(advice)")
            }
        }
    }

    /// - Parameter work: returns nil when it was cancelled.
    private func begin(
        _ first: ArchiveState, _ work: @escaping @Sendable (_ progress: (Double) -> Bool) throws -> ArchiveState?
    ) throws {
        guard job == nil else { throw RequestError("an archive is being exported or imported; wait until it has ended, or cancel it") }
        let wish = Wish()
        self.wish = wish
        job = try BackgroundJob(name: "archive", onEnd: {}) { [progress] isRunning in
            // On Linux this applies to the calling thread only.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            do {
                let end = try work { share in
                    progress.put(share)
                    return wish.isThere && isRunning()
                }
                return end ?? ArchiveState(phase: .cancelled)
            } catch { return .failed("\(error)") }
        }
        _ = progress.take()
        publish(first)
    }

    // MARK: Following the work

    func tick() {
        guard let job else { return }
        if let end = job.product {
            self.job = nil
            publish(end)
            if let reason = end.reason { hub.notice("archive: \(reason)") }
            if end.phase == .imported { library.look() }
        } else if let share = progress.take(), var state, Int(clamping: share * 100) != Int(clamping: (state.share ?? 0) * 100) {
            state.share = (share * 100).rounded() / 100
            publish(state)
        }
    }

    private func publish(_ new: ArchiveState) {
        state = new
        hub.publish(index(.state), .text(new.text))
    }

    func stop() { job?.giveUp() }
}

/// The state of exports and imports as clients get it, in JSON.
struct ArchiveState: Encodable, Sendable, Equatable {
    enum Phase: String, Encodable, Sendable {
        case exporting, exported, importing, imported, cancelled, failed
    }

    /// Maximum number of entries in each list; the counts beside the lists include all entries.
    private static let most = 20

    var phase: Phase
    /// Name of the archive.
    var name: String?
    /// Share that is done, 0 to 1.
    var share: Double?
    /// Files of an export, and bytes of the archive.
    var files: Int?
    var size: Int?
    /// The reason of a failure, as a sentence.
    var reason: String?
    var leftOut: [ArchiveExport.LeftOut]?
    var leftOutCount: Int?
    var report: ImportReport?
    var renamedCount: Int?
    var adaptedCount: Int?

    static func failed(_ reason: String) -> ArchiveState { ArchiveState(phase: .failed, reason: reason) }

    static func exported(_ name: String, size: Int, _ report: ArchiveExport.Report) -> ArchiveState {
        ArchiveState(
            phase: .exported, name: name, files: report.files, size: size, leftOut: Array(report.leftOut.prefix(most)),
            leftOutCount: report.leftOut.count)
    }

    static func imported(_ name: String, _ report: ImportReport) -> ArchiveState {
        ArchiveState(
            phase: .imported, name: name, report: report.shortened(to: most), renamedCount: report.renamed.count,
            adaptedCount: report.adapted.count)
    }

    var text: String {
        return (try? JSONEncoder.wire.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
