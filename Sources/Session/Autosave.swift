public import Foundation
internal import Glibc
public import Parameters

/// The file that outlives a crash: beside the session's own, and gone after a clean end.
///
/// A lock on a file beside it tells whether the program that writes it still runs; the kernel takes the lock from one that
/// does not. Programs that have the same session open write files of their own.
public final class Autosave {
    /// How many programs may have the same session open.
    private static let mostOwners = 64

    /// Where it is written.
    public let path: String
    private let lockPath: String
    private let lock: Int32
    /// Whether something was written that has not been taken away.
    public private(set) var isWritten: Bool

    private init(path: String, lockPath: String, lock: Int32) {
        self.path = path
        self.lockPath = lockPath
        self.lock = lock
        isWritten = FileManager.default.fileExists(atPath: path)
    }

    deinit { close(lock) }

    /// What a program left that did not end cleanly.
    ///
    /// - Parameter session: path of the session's file.
    /// - Returns: nil when there is nothing, or whoever writes it still runs.
    public static func left(_ session: String) -> Autosave? {
        for index in 0..<mostOwners {
            let (path, _) = places(session, index)
            guard FileManager.default.fileExists(atPath: path), let found = take(session, index) else { continue }
            if found.isWritten { return found }
        }
        return nil
    }

    /// A file of one's own for a session.
    /// - Returns: nil when none can be made there.
    public static func make(_ session: String) -> Autosave? {
        for index in 0..<mostOwners {
            // What was left and not recovered is not written over.
            guard !FileManager.default.fileExists(atPath: places(session, index).path) else { continue }
            if let own = take(session, index) { return own }
        }
        return nil
    }

    private static func places(_ session: String, _ index: Int) -> (path: String, lock: String) {
        let url = URL(filePath: session)
        let stem = url.deletingLastPathComponent().path + "/." + SessionShelf.name(session) + (index == 0 ? "" : "-\(index + 1)")
        return (stem + ".autosave", stem + ".lock")
    }

    private static func take(_ session: String, _ index: Int) -> Autosave? {
        let (path, lockPath) = places(session, index)
        let lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { return nil }
        var (mine, there) = (stat(), stat())
        // Whoever had it may have taken it away in between: then this is a lock on nothing.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0, fstat(lock, &mine) == 0, stat(lockPath, &there) == 0,
            mine.st_ino == there.st_ino
        else {
            close(lock)
            return nil
        }
        return Autosave(path: path, lockPath: lockPath, lock: lock)
    }

    /// When it was written last.
    public var written: Date {
        (try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date) ?? .distantPast
    }

    /// Writes it, as a whole or not at all.
    public func write(_ session: SessionFile) throws(SessionError) {
        try session.write(path)
        isWritten = true
    }

    /// What is in it.
    public func read(_ tree: ParameterTree) throws(SessionError) -> SessionFile { try SessionFile.read(path, tree) }

    /// Takes it away: everything is saved, or nobody wants it.
    public func remove() {
        unlink(path)
        isWritten = false
    }

    /// Takes it away with its lock: the session is closed.
    public func end() {
        remove()
        unlink(lockPath)
    }
}
