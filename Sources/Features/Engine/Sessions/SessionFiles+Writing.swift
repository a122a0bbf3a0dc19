import Foundation
import Hub
import Parameters
import Session

/// Saving and deleting: the files are written on a thread that may wait, then the open session is updated.
extension SessionFiles {
    func connectWriting() {
        hub.onNeed(index(.save), isReplaced: false) { [unowned self] _, message in try files.write(saving(message)) }
        hub.onSet(index(.save)) { [unowned self] _, message in
            try finish(files.written(saving(message.message)), at: savePath(message.message))
        }
        hub.onNeed(index(.saveAs), isReplaced: false) { [unowned self] value, message in
            try files.write(saving(as: path(value.text ?? ""), message))
        }
        hub.onSet(index(.saveAs)) { [unowned self] value, message in
            let path = try path(value.text ?? "")
            try finish(files.written(saving(as: path, message.message)), at: path)
        }
        for order in [SessionParameter.rename, .duplicate] {
            hub.onNeed(index(order), isReplaced: false) { [unowned self] value, message in
                try files.write(copying(value, message, moves: order == .rename))
            }
            hub.onSet(index(order)) { [unowned self] value, message in
                let writing = try copying(value, message.message, moves: order == .rename)
                if case .saved(_, let all) = try files.written(writing) { names.publish(all) }
            }
        }
        hub.onNeed(index(.delete), isReplaced: false) { [unowned self] value, _ in try files.write(deleting(value)) }
        hub.onSet(index(.delete)) { [unowned self] value, _ in
            if case .saved(_, let left) = try files.written(deleting(value)) { names.publish(left) }
        }
    }

    /// The file that the open session is saved in.
    private func savePath(_ message: Message) throws -> String {
        let saveAs = SessionParameter.saveAs.address()
        guard message.arguments.allSatisfy({ $0.number != nil }) else {
            throw RequestError("\(message.address) takes no name; use \(saveAs)")
        }
        guard let path = open.path else { throw RequestError("the session has no name yet; name it with \(saveAs)") }
        return path
    }

    private func saving(_ message: Message) throws -> FileWriting { saving(at: try savePath(message)) }

    /// The job that writes the current state; if this replaces the file of another session, that is kept in the trash.
    private func saving(as path: String, _ message: Message) throws -> FileWriting {
        saving(at: path) { [isReplaced = message.isConfirmed, isOwn = path == open.path] folder in
            try folder.make()
            guard isReplaced || isOwn || !FileManager.default.fileExists(atPath: path) else {
                throw RequestError(
                    "there is a session \(SessionFolder.name(path)) already; choose another name, or send true after the name "
                        + "to replace it")
            }
            if !isOwn { try SessionTrash(folder).keep(path) }
        }
    }

    private func saving(at path: String, after prepare: @escaping @Sendable (SessionFolder) throws -> Void = { _ in }) -> FileWriting {
        FileWriting { [session = current, folder] in
            try prepare(folder)
            try session.write(path)
            folder.use(path)
            return .saved(session, names: folder.names)
        }
    }

    private func finish(_ written: ReadFiles.Contents, at path: String) {
        guard case .saved(let session?, let all) = written else { return }
        keep(session, at: path)
        names.publish(all)
    }

    /// The job that renames or copies a saved session: the two names are the lines of the value.
    private func copying(_ value: ParameterValue, _ message: Message, moves: Bool) throws -> FileWriting {
        let given = (value.text ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard given.count == 2 else { throw RequestError("\(message.address) takes the names of two sessions") }
        let (session, place) = (try path(given[0]), try path(given[1]))
        guard !moves || session != open.path else {
            throw RequestError("the session is open; save it under its new name, and delete the old one")
        }
        guard place != open.path else { throw RequestError("the session \(SessionFolder.name(place)) is open; choose another name") }
        return FileWriting { [folder, isReplaced = message.isConfirmed] in
            if moves {
                try folder.move(session, to: place, replaces: isReplaced)
            } else {
                try folder.copy(session, to: place, replaces: isReplaced)
            }
            return .saved(nil, names: folder.names)
        }
    }

    private func deleting(_ value: ParameterValue) throws -> FileWriting {
        let path = try path(value.text ?? "")
        guard path != open.path else { throw RequestError("the session is open; open or save another one first") }
        return FileWriting { [folder] in
            try SessionTrash(folder).take(path)
            return .saved(nil, names: folder.names)
        }
    }
}
