internal import FileOutput
internal import Files
internal import Foundation
internal import Glibc

/// The folder of sessions that clients refer to by name. No name leads to a file outside of it.
public struct SessionFolder: Sendable {
    /// Bytes of a name; file systems allow 255 for the whole file name.
    public static let longestName = 100
    /// Maximum number of names in the list.
    private static let mostNames = 500
    /// Maximum number of names kept in order of use.
    private static let mostRecent = 100
    public let folder: String

    /// - Parameter folder: made when something is written.
    public init(folder: String) { self.folder = FilePlace.equivalent(URL(filePath: folder).standardizedFileURL.path) }

    /// The folder that a session's file is in.
    public init(of session: String) { self.init(folder: URL(filePath: session).deletingLastPathComponent().path) }

    public static var standardFolder: String { UserFolder.data + "/sessions" }

    /// The path of a session's file.
    /// - Parameter given: the name, with or without `.json`.
    /// - Throws: for a path, a hidden file, control characters, an empty or too long name.
    public func path(_ given: String) throws(SessionError) -> String {
        let name = given.hasSuffix(".json") ? String(given.dropLast(5)) : given
        func refuse(_ reason: String) -> SessionError {
            let shown = String(given.unicodeScalars.prefix(60).map { $0.value < 32 || $0.value == 127 ? " " : Character($0) })
            return SessionError(
                path: shown, line: nil, field: nil, reason: reason,
                remedy: "sessions have names such as \"evening 2\", and are stored in \(folder)")
        }
        guard !name.isEmpty else { throw refuse("the name is empty") }
        guard !name.contains("/"), !name.contains("\\") else { throw refuse("this is a path, not a name") }
        guard !name.hasPrefix("."), name.first != " ", name.last != " " else {
            throw refuse("a name does not begin with a dot, nor begin or end with a space")
        }
        guard name.utf8.count <= Self.longestName else { throw refuse("the name is longer than \(Self.longestName) bytes") }
        guard name.unicodeScalars.allSatisfy({ $0.value >= 32 && !(127..<160).contains($0.value) }) else {
            throw refuse("there are control characters in the name")
        }
        return FilePlace.equivalent(folder + "/" + name + ".json")
    }

    /// The path of a session on the command line.
    /// - Parameter text: the path of a file, which takes precedence where it exists, or the name of a session.
    /// - Throws: when there is no session of that name; the error names the folder that was searched.
    public func path(orName text: String) throws(SessionError) -> String {
        if text.contains("/") || FilePlace.real(text) != nil { return FilePlace.equivalent(URL(filePath: text).standardizedFileURL.path) }
        let path = try path(text)
        guard FilePlace.real(path) != nil else { throw missing(text) }
        return path
    }

    /// The error for a session that is not there.
    func missing(_ name: String) -> SessionError {
        SessionError(
            path: name, line: nil, field: nil, reason: "there is no session of this name in \(folder)",
            remedy: "`vestibule session list` lists them, and --sessions names another folder")
    }

    /// The name of a session: its file's name without `.json`.
    public static func name(_ path: String) -> String {
        let name = URL(filePath: path).lastPathComponent
        return name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    }

    /// Creates the folder if it is missing.
    public func make() throws(SessionError) {
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw SessionError(
                path: folder, line: nil, field: nil, reason: "the session folder cannot be made",
                remedy: "start with --sessions and a folder that may be written to")
        }
    }

    /// Names of all sessions: the most recently used first, then the others in alphabetical order.
    public var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let names = files.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { FilePlace.composed(String($0.dropLast(5))) }.sorted()
        let (present, recent) = (Set(names), self.recent)
        let (used, first) = (Set(recent), recent.filter(present.contains))
        return Array((first + names.filter { !used.contains($0) }).prefix(Self.mostNames))
    }

    private var recentPath: String { folder + "/.recent" }

    private var recent: [String] {
        ((try? RegularFile.text(recentPath)) ?? "").split(separator: "\n").map(String.init)
    }

    /// Records that a session was used last, if it is in this folder.
    public func use(_ path: String) {
        let url = URL(filePath: path).standardizedFileURL
        guard url.deletingLastPathComponent().path == folder, path.hasSuffix(".json") else { return }
        let name = Self.name(path)
        let names = [name] + recent.filter { $0 != name }.prefix(Self.mostRecent - 1)
        // A failure affects only the order of the list.
        try? OutputFile.write(names.joined(separator: "\n") + "\n", to: recentPath, existing: .replaced)
    }
}

/// Renaming and copying of session files.
extension SessionFolder {
    /// Gives a session another name.
    ///
    /// - Parameters:
    ///   - session: path of its file, in the folder.
    ///   - place: its new path, in the folder.
    ///   - replaces: whether an existing session is moved to the trash.
    public func move(_ session: String, to place: String, replaces: Bool) throws(SessionError) {
        try makeRoom(for: session, at: place, replaces: replaces)
        guard rename(session, place) == 0 else { throw failure(session, "it cannot be renamed to \(Self.name(place))") }
        AboutFiles.follow(session, to: place)
    }

    /// Writes a copy of a session; parameters as of ``move(_:to:replaces:)``.
    public func copy(_ session: String, to place: String, replaces: Bool) throws(SessionError) {
        try makeRoom(for: session, at: place, replaces: replaces)
        do {
            let bytes = try RegularFile(session).bytes(atMost: RegularFile.largestText)
            try OutputFile.write(bytes, to: place, existing: replaces ? .replaced : .refused, isSynced: true)
        } catch { throw failure(session, "it cannot be copied: \((error as? OutputError)?.reason ?? "\(error)")") }
    }

    private func makeRoom(for session: String, at place: String, replaces: Bool) throws(SessionError) {
        guard FilePlace.real(session) != nil else { throw missing(Self.name(session)) }
        guard FilePlace.real(place) != nil else { return }
        guard replaces, !FilePlace.isSame(session, place) else {
            throw failure(
                Self.name(place), "there is a session of this name already; choose another name, or send true after the names to replace it"
            )
        }
        try SessionTrash(self).keep(place)
    }

    private func failure(_ session: String, _ reason: String) -> SessionError {
        SessionError(path: session, line: nil, field: nil, reason: "the session was left as it is", remedy: reason)
    }
}
