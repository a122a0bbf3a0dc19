internal import FileOutput
internal import Files
internal import Glibc

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
