import FileOutput
import Foundation
import Hub
import Media
import Parameters

/// Deletes, describes, corrects and joins files of the media library. Used on the control thread.
final class LibraryEditing {
    private let hub: Hub
    private let files: MessageFiles
    private let copies: RecordingCopies
    private var emptying: BackgroundJob<OutputError?>?
    /// The folders, and the result of their last scan.
    var listing: () -> (folders: [LibraryFolder], scan: LibraryScan?) = { ([], nil) }
    /// Called when files have changed.
    var onChange: () -> Void = {}

    init(hub: Hub, files: MessageFiles) {
        (self.hub, self.files) = (hub, files)
        copies = RecordingCopies(hub: hub)
    }

    func connect() {
        let delete = hub.tree.index(LibraryParameter.delete)
        hub.onNeed(delete, isReplaced: false) { [unowned self] value, _ in try files.write(deleting(value)) }
        hub.onSet(delete) { [unowned self] value, _ in
            _ = try files.written(deleting(value))
            onChange()
        }
        hub.onSet(hub.tree.index(LibraryParameter.emptyTrash)) { [unowned self] _, _ in try emptyTrash() }
        let about = hub.tree.index(LibraryParameter.about)
        hub.onNeed(about, isReplaced: false) { [unowned self] value, _ in try files.write(describing(value)) }
        hub.onSet(about) { [unowned self] value, _ in
            _ = try files.written(describing(value))
            onChange()
        }
        hub.onSet(hub.tree.index(LibraryParameter.correct)) { [unowned self] value, _ in try copies.begin(correcting(value)) }
        hub.onSet(hub.tree.index(LibraryParameter.join)) { [unowned self] value, _ in try copies.begin(joining(value)) }
    }

    /// Takes the results of background work; called about thirty times a second.
    func tick() {
        if copies.tick() { onChange() }
        guard let outcome = emptying?.product else { return }
        emptying = nil
        if let failure = outcome { hub.notice("the trash was not emptied completely: \(failure.reason)") }
        onChange()
    }

    /// The folder and the name of a file that clients call PLACE/NAME.
    private func place(_ text: String) throws -> (LibraryFolder, [String]) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let folder = listing().folders.first(where: { $0.place == parts[0] }) else {
            throw RequestError("\"\(text.prefix(120))\" names no file of the library: give PLACE/NAME as /library lists them")
        }
        return (folder, parts)
    }

    private func found(_ parts: [String], in folder: LibraryFolder) throws -> LibraryFile {
        guard let file = listing().scan?.files.first(where: { $0.place == parts[0] && $0.name == parts[1] }) else {
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

    // MARK: Recordings made from others

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
        let folders = listing().folders.filter(\.hasTrash).map(\.path)
        emptying = try BackgroundJob(name: "trash", onEnd: {}) { _ in
            var failure: OutputError?
            for folder in folders {
                do throws(OutputError) { try Trash(of: folder).empty() } catch { failure = error }
            }
            return failure
        }
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
            do throws(OutputError) {
                try Trash(of: folder.path).take(file.name)
                if let sidecar = Self.ownSidecar(of: file, in: folder.path) { try Trash(of: folder.path).take(sidecar) }
            } catch { throw RequestError("\(file.name) is not deleted: \(error.reason)") }
            return .written
        }
    }

    /// The sidecar of a deleted recording, which would otherwise apply to the next recording of the same name; nil if there is none, or if
    /// it also belongs to another file.
    private static func ownSidecar(of file: LibraryFile, in folder: String) -> String? {
        let sidecar = ClientFiles.sidecar(of: file.name)
        guard file.kind == ClientFiles.Kind.recordings.rawValue, FilePlace.isTaken(folder + "/" + sidecar) else { return nil }
        let others = FilePlace.names(in: folder).filter { $0 != sidecar && $0 != file.name && ClientFiles.sidecar(of: $0) == sidecar }
        return others.isEmpty ? sidecar : nil
    }

    func stop() { copies.stop() }
}
