internal import FileOutput
internal import Files
internal import Foundation
internal import Glibc

/// The place of an archive's files until all of them are checked: a hidden folder in the folder of each kind, on the same disk.
///
/// Then a journal is written, and the files are renamed. An import that was interrupted before the journal is discarded by ``settle(_:)``;
/// one that was interrupted after it is completed.
final class ImportStaging {
    /// Renames that are to be done.
    private struct Journal: Codable {
        struct Move: Codable {
            let from: String
            let to: String
        }

        var moves: [Move]
    }

    private static let stem = ".import-"
    private static let (journalName, lockName) = ("journal.json", ".import.lock")
    private let kinds: [ArchiveKind]
    private let name: String
    private let lock: Int32

    /// - Throws: `ArchiveError` when another import is under way.
    init(_ kinds: [ArchiveKind]) throws {
        guard let first = kinds.first else { throw ArchiveError("no folder of the installation is known") }
        (self.kinds, name) = (kinds, Self.stem + RandomName.make())
        lock = try Self.locked(first)
        Self.end(kinds)
    }

    deinit {
        for kind in kinds { try? FileManager.default.removeItem(atPath: folder(kind)) }
        close(lock)
    }

    private static func locked(_ kind: ArchiveKind) throws -> Int32 {
        try make(kind.folder)
        let lock = LockFile.open(kind.folder + "/" + lockName)
        guard lock >= 0 else { throw OutputError(kind.folder + "/" + lockName, errno: errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw ArchiveError("another import is running in \(kind.folder); wait until it has ended", mayPass: true)
        }
        return lock
    }

    static func make(_ folder: String) throws {
        do { try FileManager.default.createDirectory(atPath: FilePlace.equivalent(folder), withIntermediateDirectories: true) } catch {
            throw ArchiveError("the folder \(folder) cannot be made: \(error.localizedDescription)")
        }
    }

    /// The hidden folder in that of a kind.
    func folder(_ kind: ArchiveKind) -> String { kind.folder + "/" + name }

    /// Makes the folders for a file.
    /// - Returns: its path.
    func place(_ file: String, of kind: ArchiveKind) throws -> String {
        let path = folder(kind) + "/" + file
        try Self.make(FilePlace.folder(of: path))
        return path
    }

    // MARK: The end

    /// Gives checked files their names: all of them, or none.
    /// - Parameter moves: paths in ``folder(_:)`` and new paths; of files, or of folders that do not exist.
    func finish(_ moves: [(from: String, to: String)]) throws {
        let journal = folder(kinds[0]) + "/" + Self.journalName
        try Self.make(folder(kinds[0]))
        let contents = Journal(moves: moves.map { .init(from: $0.from, to: $0.to) })
        try OutputFile.write([UInt8](JSONEncoder().encode(contents)), to: journal, isSynced: true)
        var done: [(from: String, to: String)] = []
        do {
            for move in moves {
                try Self.make(FilePlace.folder(of: move.to))
                try FilePlace.move(move.from, to: move.to)
                done.append(move)
            }
        } catch {
            let stuck = done.reversed().filter { move in (try? FilePlace.move(move.to, to: move.from)) == nil }
            PartialFile.remove(journal)
            guard !stuck.isEmpty else { throw error }
            throw ArchiveError("\(error); these files were imported already: \(stuck.map(\.to).joined(separator: ", "))")
        }
    }

    /// Completes or discards the imports of earlier runs, unless one is under way.
    static func settle(_ kinds: [ArchiveKind]) {
        guard let first = kinds.first, FilePlace.isTaken(first.folder + "/" + lockName), let lock = try? locked(first) else { return }
        end(kinds)
        close(lock)
    }

    /// Whether a rename leads from a staging folder to the folder of its kind. A journal may have come with a copy of another installation.
    private static func isOwn(_ move: Journal.Move, _ name: String, _ kinds: [ArchiveKind]) -> Bool {
        let isInside = kinds.contains { kind in
            let staging = kind.folder + "/" + name
            return move.from.hasPrefix(staging + "/") && move.to.hasPrefix(kind.folder + "/") && FilePlace.isFolder(staging)
                && FilePlace.real(FilePlace.folder(of: move.from))?.hasPrefix(FilePlace.real(staging) ?? "//") == true
        }
        return isInside && !(move.from + "/" + move.to).utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
    }

    private static func end(_ kinds: [ArchiveKind]) {
        for name in FilePlace.names(in: kinds[0].folder) where name.hasPrefix(stem) {
            guard FilePlace.isFolder(kinds[0].folder + "/" + name) else { continue }
            let path = kinds[0].folder + "/" + name + "/" + journalName
            guard let file = try? RegularFile(path, followsLinks: false), let bytes = try? file.bytes(atMost: ArchiveManifest.longest),
                let journal = try? JSONDecoder().decode(Journal.self, from: Data(bytes))
            else { continue }
            for move in journal.moves where isOwn(move, name, kinds) && FilePlace.isTaken(move.from) {
                try? make(FilePlace.folder(of: move.to))
                complete(move)
            }
        }
        for kind in kinds {
            for name in FilePlace.names(in: kind.folder) where name.hasPrefix(stem) && FilePlace.isFolder(kind.folder + "/" + name) {
                try? FileManager.default.removeItem(atPath: kind.folder + "/" + name)
            }
        }
    }

    /// Carries out a rename of a journal; adds a number if a file of the same name has appeared since.
    private static func complete(_ move: Journal.Move) {
        let (folder, name) = (FilePlace.folder(of: move.to), FilePlace.name(of: move.to))
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        for attempt in 1...99 {
            let place = attempt == 1 ? move.to : folder + "/" + name[..<dot] + "-\(attempt)" + name[dot...]
            if (try? FilePlace.move(move.from, to: place)) != nil { return }
        }
    }
}
