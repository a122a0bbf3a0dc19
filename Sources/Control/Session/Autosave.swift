internal import FileOutput
public import Foundation
internal import Glibc
public import Parameters
internal import Synchronization

/// A file of unsaved changes that survives a crash: beside the session's own, and removed after a clean end.
///
/// A lock on a file beside it shows whether the program that writes it is still running; the kernel releases the lock when
/// the program ends. Programs that have the same session open write files of their own.
public final class Autosave: Sendable {
    /// Maximum number of programs with the same session open.
    private static let mostOwners = 64

    /// Path of the file.
    public let path: String
    private let lockPath: String
    private let lock: Int32
    private let written: Atomic<Bool>
    /// Whether the file exists.
    public var isWritten: Bool { written.load(ordering: .relaxed) }

    private init(path: String, lockPath: String, lock: Int32) {
        self.path = path
        self.lockPath = lockPath
        self.lock = lock
        written = Atomic(FileManager.default.fileExists(atPath: path))
    }

    deinit { close(lock) }

    /// Finds the unsaved changes of a program that did not end cleanly.
    ///
    /// - Parameter session: path of the session's file.
    /// - Returns: nil when there are none, or the program that writes them is still running.
    public static func left(_ session: String) -> Autosave? {
        for index in 0..<mostOwners {
            let (path, _) = places(session, index)
            guard FileManager.default.fileExists(atPath: path), let found = take(session, index) else { continue }
            if found.isWritten { return found }
        }
        return nil
    }

    /// Makes a file for a session.
    /// - Returns: nil when none can be made there.
    public static func make(_ session: String) -> Autosave? {
        for index in 0..<mostOwners {
            // Changes that were not recovered are not overwritten.
            guard !FileManager.default.fileExists(atPath: places(session, index).path) else { continue }
            if let own = take(session, index) { return own }
        }
        return nil
    }

    private static func places(_ session: String, _ index: Int) -> (path: String, lock: String) {
        let url = URL(filePath: session)
        let stem = url.deletingLastPathComponent().path + "/." + SessionFolder.name(session) + (index == 0 ? "" : "-\(index + 1)")
        return (stem + ".autosave", stem + ".lock")
    }

    private static func take(_ session: String, _ index: Int) -> Autosave? {
        let (path, lockPath) = places(session, index)
        let lock = LockFile.open(lockPath)
        guard lock >= 0 else { return nil }
        var (mine, there) = (stat(), stat())
        // The previous owner may have removed the file in between; the lock would then be on a file without a name.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0, fstat(lock, &mine) == 0, stat(lockPath, &there) == 0,
            mine.st_ino == there.st_ino
        else {
            close(lock)
            return nil
        }
        return Autosave(path: path, lockPath: lockPath, lock: lock)
    }

    /// Time of the last writing.
    public var time: Date {
        (try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date) ?? .distantPast
    }

    /// Writes the changes atomically.
    public func write(_ session: SessionFile) throws(SessionError) {
        try session.write(path)
        written.store(true, ordering: .relaxed)
    }

    /// Reads the changes.
    public func read(_ tree: ParameterTree) throws(SessionError) -> SessionFile { try SessionFile.read(path, tree) }

    /// Removes the file, because everything is saved or discarded.
    public func remove() {
        unlink(path)
        written.store(false, ordering: .relaxed)
    }

    /// Removes the file and its lock, because the session is closed.
    public func end() {
        remove()
        unlink(lockPath)
    }
}
