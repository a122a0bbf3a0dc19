import Effects
import FileOutput
package import Files
import Foundation
import Hub
import Parameters
import Rack
import Session

/// The files that clients may name: those in the program's own folders and in folders that the command line allows, and
/// those that the command line has named.
///
/// Clients name a file relative to the folder of its kind, or by an absolute path in one of these folders. No symbolic link
/// leads out of them. Used on the control thread only.
package final class ClientFiles {
    /// Kinds of files in the program's data; each has its own folder.
    package enum Kind: String, CaseIterable, Sendable {
        case recordings, sounds, responses, hrtf, presets, motion, sessions, tests, results, takes, rooms
    }

    /// The current folders by kind of file.
    private(set) var folders: [Kind: String] = [:]
    private let allowed: [String]
    /// Paths that the command line has named.
    private var granted: Set<String> = []

    /// The folders of all these files, which are hidden from visitors who may not control.
    package let hidden = HiddenFolders()

    /// Maximum length of a name or path in bytes; no file system allows longer ones.
    private static let longest = 4095

    /// - Parameters:
    ///   - data: parent of the folders, made when something is written; nil for the user's data folder.
    ///   - own: folders outside of `data`, by kind.
    ///   - allowed: further folders that clients may use.
    package init(data: String? = nil, own: [Kind: String] = [:], allowed: [String] = []) {
        for kind in Kind.allCases { folders[kind] = Self.standard(own[kind] ?? (data ?? UserFolder.data) + "/" + kind.rawValue) }
        self.allowed = allowed.map(Self.standard)
        for folder in folders.values.sorted() + self.allowed { hide(folder) }
    }

    /// Hides a folder from visitors who may not control.
    package func hide(_ folder: String) {
        for path in [folder, FilePlace.real(folder)].compactMap(\.self) { hidden.learn(path, LogText.escaped(path)) }
    }

    package func folder(_ kind: Kind) -> String { folders[kind] ?? "" }

    /// The absolute path without `.` and `..`, of the file whose name is the same or canonically equivalent; symbolic links are kept.
    private static func standard(_ path: String) -> String { FilePlace.equivalent(URL(filePath: path).standardizedFileURL.path) }

    // MARK: From the command line

    /// Lets clients use a file that the command line has named, wherever it is.
    /// - Returns: its absolute path.
    @discardableResult
    package func grant(_ path: String) -> String {
        let path = Self.standard(path)
        if granted.insert(path).inserted { hide(FilePlace.folder(of: path)) }
        return path
    }

    /// The path named on the command line whose last part is this name; the first of several, nil for none.
    func grantedFile(_ name: String) -> String? { granted.filter { $0.hasSuffix("/" + name) }.min() }

    // MARK: From clients

    /// The absolute path of a file that a client names.
    ///
    /// - Parameters:
    ///   - name: relative to the folder of its kind, or an absolute path.
    ///   - ending: added to a name without it.
    /// - Throws: `RequestError` when clients may not use the file. Whether it exists makes no difference.
    package func path(_ name: String, _ kind: Kind, ending: String = "") throws(RequestError) -> String {
        guard !name.isEmpty, name.utf8.count <= Self.longest, name.unicodeScalars.allSatisfy(Self.isPrintable) else {
            throw refusal(name, kind, "a name has 1 to \(Self.longest) bytes and no control characters")
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains("..") else { throw refusal(name, kind, "the path leads upwards") }
        let path: String
        if name.hasPrefix("/") {
            path = Self.standard(name)
        } else {
            guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else {
                throw refusal(name, kind, "no part of a name is empty or begins with a dot")
            }
            path = folder(kind) + "/" + name
        }
        let whole = FilePlace.equivalent(ending.isEmpty || path.hasSuffix(ending) ? path : path + ending)
        guard isAllowed(whole) else { throw refusal(name, kind, "it is in no folder that clients may use") }
        return whole
    }

    /// The absolute path of a file that a client wants to write: as in ``path(_:_:ending:)``, but not in the program's folder for another
    /// kind of file.
    package func pathToWrite(_ name: String, _ kind: Kind, ending: String) throws(RequestError) -> String {
        let path = try path(name, kind, ending: ending)
        guard FileName.isReadable(name) else {
            throw refusal(name, kind, "each part of a name has a visible character, and none changes the direction of writing")
        }
        guard let place = Self.place(path) else { return path }
        func holds(_ folder: String) -> Bool { Self.place(folder).map { place.hasPrefix($0 + "/") } ?? false }
        guard !holds(folder(kind)), let other = Kind.allCases.first(where: { holds(folder($0)) }) else { return path }
        throw refusal(name, kind, "it is in the folder of \(other.rawValue), whose files are of another kind")
    }

    /// Whether clients may use the file at an absolute path.
    package func isAllowed(_ path: String) -> Bool { admission(path) }

    /// A function, for any thread, that returns whether clients may use the file at an absolute path, by the current folders.
    var admission: @Sendable (String) -> Bool {
        let (granted, places) = (granted, Array(folders.values) + allowed)
        return { path in
            let path = Self.standard(path)
            if granted.contains(path) { return true }
            guard let place = Self.place(path) else { return false }
            return places.contains { folder in
                Self.place(folder).map { place.hasPrefix($0 == "/" ? "/" : $0 + "/") } ?? false
            }
        }
    }

    /// - Throws: `RequestError` when clients may not use the file at an absolute path.
    func check(_ path: String, _ kind: Kind) throws(RequestError) {
        guard isAllowed(path) else { throw refusal(path, kind, "it is in no folder that clients may use") }
    }

    private func refusal(_ name: String, _ kind: Kind, _ reason: String) -> RequestError {
        RequestError(
            "\"\(Self.shown(name))\" is refused: \(reason); name a file in \(folder(kind)), or start with --allow-path and its folder")
    }

    private static func shown(_ name: String) -> String {
        String(WrittenAddress.shown(name).unicodeScalars.prefix(120).map { isPrintable($0) ? Character($0) : " " })
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 32 && !(127..<160).contains(scalar.value) }

    /// The path without symbolic links, as far as it exists; nil when a link leads nowhere.
    private static func place(_ path: String) -> String? {
        var (here, rest) = (path, "")
        while true {
            if let real = FilePlace.real(here) { return (real == "/" && !rest.isEmpty ? "" : real) + rest }
            guard here != "/", here != ".", !FilePlace.isLink(here) else { return nil }
            rest = String(here[(here.lastIndex(of: "/") ?? here.startIndex)...]) + rest
            here = FilePlace.folder(of: here)
        }
    }

    /// A function, for any thread, that creates the folder of a kind if it is missing, or the folder of a file in it.
    /// - Parameter file: an absolute path that clients may use; nil for the folder of the kind itself.
    func maker(_ kind: Kind, of file: String? = nil) -> @Sendable () throws -> Void {
        let folder = file.map(FilePlace.folder) ?? folder(kind)
        return {
            do { try FileManager.default.createDirectory(atPath: FilePlace.equivalent(folder), withIntermediateDirectories: true) } catch {
                throw RequestError("the folder \(folder) cannot be made: \(error.localizedDescription)")
            }
        }
    }
}

extension ClientFiles {
    /// Files that clients may name, from the options of the command line.
    ///
    /// - Parameters:
    ///   - takes: folder of takes; nil for the usual one.
    ///   - named: files that clients may use wherever they are.
    package convenience init(sessions: String, sounds: String, takes: String?, allowed: [String], named: [String]) {
        var own: [Kind: String] = [.sessions: sessions, .sounds: sounds]
        if let takes { own[.takes] = takes }
        self.init(own: own, allowed: allowed)
        named.forEach { grant($0) }
    }
}

/// Names of files, as other machines and people know them.
extension ClientFiles {
    /// The name of a file: relative to the folder of its kind, or the last part of its path if it is elsewhere.
    func name(_ path: String, _ kind: Kind) -> String {
        let folder = folder(kind) + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : URL(filePath: path).lastPathComponent
    }

    /// The name of the sidecar beside a recording that is a single file.
    static func sidecar(of name: String) -> String {
        (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name) + ".json"
    }

    /// The file for a name that another machine uses: one that the command line has named, or one in the folder of its kind.
    func file(_ name: String, _ kind: Kind) -> String { grantedFile(name) ?? name }
}

/// The files that a session names.
extension ClientFiles {
    /// Lets clients use every file named in a session that the command line names.
    func grant(_ session: SessionFile) {
        if let recording = session.recording { grant(recording) }
        for snapshot in [session.snapshot] + session.scenes.map(\.snapshot) {
            for rack in snapshot.racks.values { rack.allSlots.compactMap(ResponseLibrary.path).forEach { grant($0) } }
            // The playlist is one text of several names.
            for case .string(let text) in snapshot.parameters.values.joined() {
                for line in text.split(separator: "\n") where line.hasPrefix("/") { grant(String(line)) }
            }
        }
    }

    /// A session without the impulse responses that clients may not use. Their paths stay in the session's file.
    /// - Parameter report: called with each of them, in words.
    func admitted(_ session: SessionFile, report: (String) -> Void) -> SessionFile {
        session.mapSlots { slot in
            guard let path = ResponseLibrary.path(slot) else { return slot }
            do throws(RequestError) {
                try check(path, .responses)
                return slot
            } catch {
                report("\(error); the effect is silent, and the path is kept")
            }
            var slot = slot
            slot.texts["response"] = nil
            slot.unknownParameters["response"] = .text(path)
            return slot
        }
    }
}

extension SessionFile {
    /// The session with every effect slot transformed, in its racks and in the racks of its scenes.
    func mapSlots(_ transform: (RackDescription.Slot) -> RackDescription.Slot) -> SessionFile {
        var session = self
        session.snapshot.racks = snapshot.racks.mapValues { $0.mapSlots(transform) }
        for index in session.scenes.indices {
            session.scenes[index].snapshot.racks = scenes[index].snapshot.racks.mapValues { $0.mapSlots(transform) }
        }
        return session
    }
}
