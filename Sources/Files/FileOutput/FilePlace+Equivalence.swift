internal import Foundation
internal import Glibc

/// Treats canonically equivalent names as one: macOS stores é as e and an accent, other systems as one character.
extension FilePlace {
    /// Returns a name in the composed form of Unicode (NFC), which new files get. Names are compared by the bytes of this form.
    public static func composed(_ name: String) -> String {
        isASCII(name) ? name : name.precomposedStringWithCanonicalMapping
    }

    /// The path of the file or folder that a path means.
    ///
    /// That is the path itself where it exists. Where a part of it does not, it is the entry of the folder whose name is canonically
    /// equivalent, and without one the composed name, which a new file gets. Folders are read only for names beyond ASCII.
    public static func equivalent(_ path: String) -> String {
        guard !isASCII(path), !path.utf8.contains(0), !exists(path) else { return path }
        // Bytes are split: a slash and a combining mark after it are one character.
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        var (here, isThere) = (path.utf8.first == UInt8(ascii: "/") ? "/" : "", true)
        for (index, name) in parts.enumerated() {
            let found = isThere ? entry(name, in: here) : nil
            isThere = found != nil
            here += (found ?? composed(name)) + (index + 1 < parts.count || path.utf8.last == UInt8(ascii: "/") ? "/" : "")
        }
        return here
    }

    /// The entry of a folder with a name, or else with an equivalent one; nil for none.
    /// - Parameter folder: empty for the current one, otherwise with a slash at the end.
    private static func entry(_ name: String, in folder: String) -> String? {
        if exists(folder + name) { return name }
        guard !isASCII(name) else { return nil }
        let found = entries(of: folder.isEmpty ? "." : folder).filter { $0 == name }
        return found.min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func exists(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
}
