internal import Files
internal import Foundation
internal import Glibc

/// The list of paired clients, and the private file that keeps it.
///
/// Other processes of the same user may change the file, so each change starts from its contents.
public final class PairedClients {
    /// Maximum number of clients; further ones can be paired after another has been revoked.
    public static let most = 64
    /// Longest name in bytes.
    private static let longestName = 40
    /// Times that a list may contain, seconds since 1970.
    private static let times = 0...253_402_300_799
    /// Seconds between two updates of the time when a client was last seen.
    private static let seenInterval = 60

    private struct File: Codable {
        var version = 1
        let clients: [PairedClient]

        init(_ clients: [PairedClient]) { self.clients = clients }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            version = try values.decode(Int.self, forKey: .version)
            if let clients = try values.decodeIfPresent([PairedClient].self, forKey: .clients) {
                self.clients = clients
            } else {
                clients = try decoder.container(keyedBy: FormerKeys.self).decode([PairedClient].self, forKey: .devices)
            }
        }

        private enum CodingKeys: CodingKey { case version, clients }
        /// Names until release 0.2.
        private enum FormerKeys: CodingKey { case devices }
    }

    private struct Stamp: Equatable {
        var inode: UInt
        var seconds: Int
        var nanoseconds: Int
    }

    public let path: String
    public private(set) var all: [PairedClient] = []
    private var stamp: Stamp?

    /// - Throws: ``TrustError`` when there is a file that cannot be used.
    public init(path: String) throws(TrustError) {
        self.path = path
        try read()
    }

    /// The list in a folder, `clients.json`. Until release 0.2 it was called `devices.json`; such a file is renamed, or used as it is in a
    /// folder that cannot be written to.
    public convenience init(folder: String) throws(TrustError) {
        let (path, former) = (folder + "/clients.json", folder + "/devices.json")
        let isFormer = access(path, F_OK) != 0 && access(former, F_OK) == 0 && rename(former, path) != 0
        try self.init(path: isFormer ? former : path)
    }

    /// The client that a cookie belongs to.
    public func find(_ cookie: String) -> PairedClient? {
        let digest = Self.digest(cookie)
        // All are compared, so that the time taken reveals nothing.
        var found: PairedClient?
        for client in all where Secret.equal(client.digest, digest) { found = client }
        return found
    }

    /// - Parameter now: seconds since 1970.
    /// - Returns: the client and its cookie; nil when the list is full.
    public func add(name: String, role: AccessRole, now: Int) throws(TrustError) -> (PairedClient, cookie: String)? {
        let cookie = Secret.random()
        let client = PairedClient(
            id: String(Secret.random().prefix(8)), name: Self.clean(name), role: role, paired: now, seen: now,
            digest: Self.digest(cookie))
        var hasRoom = false
        try change { clients in
            hasRoom = clients.count < Self.most
            if hasRoom { clients.append(client) }
        }
        return hasRoom ? (client, cookie) : nil
    }

    /// - Returns: false when there is no such client.
    public func revoke(_ id: String) throws(TrustError) -> Bool {
        let before = all.count
        try change { clients in clients.removeAll { $0.id == id } }
        return all.count < before
    }

    /// - Returns: false when there is no such client.
    public func setRole(_ id: String, _ role: AccessRole) throws(TrustError) -> Bool {
        try change { clients in
            for i in clients.indices where clients[i].id == id { clients[i].role = role }
        }
        return all.contains { $0.id == id }
    }

    /// Updates the time when a client was last seen, at most once a minute.
    /// - Parameter now: seconds since 1970.
    public func noteSeen(_ id: String, now: Int) throws(TrustError) {
        guard let known = all.first(where: { $0.id == id }), now - known.seen >= Self.seenInterval else { return }
        try change { clients in
            for i in clients.indices where clients[i].id == id { clients[i].seen = max(clients[i].seen, now) }
        }
    }

    /// Reads the file again when another process has changed it.
    public func refresh() throws(TrustError) {
        if Self.stamp(of: path) != stamp { try read() }
    }

    // MARK: The file

    private func change(_ body: (inout [PairedClient]) -> Void) throws(TrustError) {
        try PrivateFile.exclusively(path + ".lock") { () throws(TrustError) in
            try read()
            var changed = all
            body(&changed)
            guard changed != all else { return }
            let data = (try? JSONEncoder.file.encode(File(changed))) ?? Data()
            try PrivateFile.write(String(decoding: data, as: UTF8.self) + "\n", to: path)
            all = changed
            stamp = Self.stamp(of: path)
        }
    }

    private func read() throws(TrustError) {
        let now = Self.stamp(of: path)
        guard let text = try PrivateFile.read(path) else {
            (all, stamp) = ([], nil)
            return
        }
        guard let file = try? JSONDecoder().decode(File.self, from: Data(text.utf8)) else {
            throw .unreadableList(path, "it is not a list of paired clients")
        }
        guard file.version == 1 else { throw .unreadableList(path, "it was written by a newer version of this program") }
        guard Set(file.clients.map(\.id)).count == file.clients.count else {
            throw .unreadableList(path, "two clients have the same id")
        }
        guard file.clients.allSatisfy({ Self.times.contains($0.paired) && Self.times.contains($0.seen) }) else {
            throw .unreadableList(path, "a time in it is not between the years 1970 and 9999")
        }
        (all, stamp) = (file.clients, now)
    }

    private static func stamp(of path: String) -> Stamp? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        return Stamp(inode: UInt(facts.st_ino), seconds: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec)
    }

    private static func digest(_ cookie: String) -> String { Digest.hexadecimal(Digest.sha256(Array(cookie.utf8))) }

    /// One short line without control characters.
    private static func clean(_ name: String) -> String {
        let printable = name.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        var text = String(String.UnicodeScalarView(printable.prefix(longestName)))
        while text.utf8.count > longestName { text.removeLast() }
        text = text.trimmingCharacters(in: .whitespaces)
        return text.isEmpty ? "client" : text
    }
}

/// A browser that was paired by a code and identifies itself with a cookie.
public struct PairedClient: Codable, Equatable, Sendable {
    /// 8 hexadecimal digits; not secret.
    public let id: String
    public let name: String
    public internal(set) var role: AccessRole
    /// Seconds since 1970.
    public let paired: Int
    public internal(set) var seen: Int
    /// SHA-256 of the cookie, so that the file does not grant access.
    let digest: String
}
