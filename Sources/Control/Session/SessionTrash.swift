internal import FileOutput
internal import Files
internal import Foundation
internal import Glibc

/// Sessions that were deleted or replaced: files in `.trash` in the session's folder, called NAME~TIME.json.
public struct SessionTrash: Sendable {
    /// Maximum number of files kept; beyond it, the oldest are removed.
    static let most = 100
    private let folder: SessionFolder

    public init(_ folder: SessionFolder) { self.folder = folder }

    private var path: String { folder.folder + "/.trash" }

    /// Names of the files without `.json`, the latest first.
    public var names: [String] {
        FilePlace.names(in: path).filter { $0.hasSuffix(".json") && $0.contains("~") }.map { String($0.dropLast(5)) }
            .sorted { Self.time($0) > Self.time($1) }
    }

    private static func time(_ name: String) -> Substring { name[(name.lastIndex(of: "~") ?? name.startIndex)...] }

    /// Deletes a session.
    /// - Parameter session: path of its file, in the folder.
    public func take(_ session: String) throws(SessionError) {
        guard FilePlace.real(session) != nil else { throw folder.missing(SessionFolder.name(session)) }
        let place = try place(for: session)
        guard rename(session, place) == 0 else {
            let reason = OutputError(moving: session, to: place, errno: errno).reason
            throw failure(session, "it cannot be moved to the trash: \(reason)")
        }
        AboutFiles.follow(session, to: place)
        removeOldest()
    }

    /// Keeps the current contents of a session that is about to be replaced.
    public func keep(_ session: String) throws(SessionError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: session, isDirectory: &isFolder), !isFolder.boolValue else { return }
        let place = try place(for: session)
        // Some file systems have no hard links.
        if link(session, place) != 0 {
            do {
                try OutputFile.write(RegularFile(session).bytes(atMost: RegularFile.largestText), to: place)
            } catch {
                throw failure(session, "it cannot be copied to \(path): \((error as? OutputError)?.reason ?? error.localizedDescription)")
            }
        }
        removeOldest()
    }

    /// Moves a file back into the session folder.
    /// - Parameter name: one of ``names``.
    /// - Returns: name of the session.
    public func restore(_ name: String) throws(SessionError) -> String {
        guard names.contains(name), let mark = name.lastIndex(of: "~") else {
            throw failure(name, "there is no such file in \(path); `vestibule session trash` lists them")
        }
        let session = String(name[..<mark])
        let place = try folder.path(session)
        let file = FilePlace.equivalent("\(path)/\(name).json")
        // A link appears only where there is no file.
        guard link(file, place) == 0 else {
            throw failure(session, errno == EEXIST ? "there is a session of that name; delete or rename it first" : "it cannot be restored")
        }
        unlink(file)
        AboutFiles.follow(file, to: place)
        return session
    }

    private func place(for session: String) throws(SessionError) -> String {
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
            throw failure(session, "the trash \(path) cannot be made: \(OutputError(path, errno: errno).reason)")
        }
        let time = Date().ISO8601Format(.init(timeSeparator: .omitted, includingFractionalSeconds: true))
        return FilePlace.equivalent("\(path)/\(SessionFolder.name(session))~\(time).json")
    }

    private func removeOldest() { for name in names.dropFirst(Self.most) { unlink("\(path)/\(name).json") } }

    private func failure(_ session: String, _ reason: String) -> SessionError {
        SessionError(path: session, line: nil, field: nil, reason: "the session was left as it is", remedy: reason)
    }
}
