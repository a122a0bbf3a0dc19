internal import Foundation
internal import Glibc

/// The list of paired devices and the file that keeps it, for its owner alone.
///
/// Other processes of the same user may change the file: each change begins with what the file says.
public final class PairedDevices {
    /// Devices that are kept; another one has to take the place of one that is revoked.
    public static let most = 64
    /// Bytes of a name that are kept.
    private static let longestName = 40
    /// How often it is written that somebody was here, in seconds.
    private static let seenInterval = 60

    private struct File: Codable {
        var version = 1
        var devices: [PairedDevice] = []
    }

    private struct Stamp: Equatable {
        var inode: UInt
        var seconds: Int
        var nanoseconds: Int
    }

    public let path: String
    public private(set) var all: [PairedDevice] = []
    private var stamp: Stamp?

    /// - Throws: ``TrustError`` when there is a file that cannot be used.
    public init(path: String) throws(TrustError) {
        self.path = path
        try read()
    }

    /// - Parameter cookie: what a device shows.
    public func find(_ cookie: String) -> PairedDevice? {
        let digest = Self.digest(cookie)
        // All are looked at, so that time says nothing about them.
        var found: PairedDevice?
        for device in all where Secret.equal(device.digest, digest) { found = device }
        return found
    }

    /// - Parameter now: seconds since 1970.
    /// - Returns: the device and its cookie; nil when the list is full.
    public func add(name: String, role: AccessRole, now: Int) throws(TrustError) -> (PairedDevice, cookie: String)? {
        let cookie = Secret.random()
        let device = PairedDevice(
            id: String(Secret.random().prefix(8)), name: Self.clean(name), role: role, paired: now, seen: now,
            digest: Self.digest(cookie))
        var hasRoom = false
        try change { devices in
            hasRoom = devices.count < Self.most
            if hasRoom { devices.append(device) }
        }
        return hasRoom ? (device, cookie) : nil
    }

    /// - Returns: false when there is no such device.
    public func revoke(_ id: String) throws(TrustError) -> Bool {
        let before = all.count
        try change { devices in devices.removeAll { $0.id == id } }
        return all.count < before
    }

    /// - Returns: false when there is no such device.
    public func setRole(_ id: String, _ role: AccessRole) throws(TrustError) -> Bool {
        try change { devices in
            for i in devices.indices where devices[i].id == id { devices[i].role = role }
        }
        return all.contains { $0.id == id }
    }

    /// Remembers that a device is here; written once a minute at most.
    /// - Parameter now: seconds since 1970.
    public func noteSeen(_ id: String, now: Int) throws(TrustError) {
        guard let known = all.first(where: { $0.id == id }), now - known.seen >= Self.seenInterval else { return }
        try change { devices in
            for i in devices.indices where devices[i].id == id { devices[i].seen = max(devices[i].seen, now) }
        }
    }

    /// Reads the file again when another process has changed it.
    public func refresh() throws(TrustError) {
        if Self.stamp(of: path) != stamp { try read() }
    }

    // MARK: The file

    private func change(_ body: (inout [PairedDevice]) -> Void) throws(TrustError) {
        try PrivateFile.exclusively(path + ".lock") { () throws(TrustError) in
            try read()
            var changed = all
            body(&changed)
            guard changed != all else { return }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let data = (try? encoder.encode(File(devices: changed))) ?? Data()
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
            throw .unreadableList(path, "it is not a list of paired devices")
        }
        guard file.version == 1 else { throw .unreadableList(path, "it was written by a newer version of this program") }
        (all, stamp) = (file.devices, now)
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
        return text.isEmpty ? "device" : text
    }
}
