internal import Foundation
internal import Glibc

/// Questions about paths and the files behind them, which are found by equivalent names: see ``equivalent(_:)``.
public enum FilePlace {
    /// Folder of a path, as text.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Last part of a path, as text.
    public static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The path without symbolic links, `.` and `..`; nil when there is no such file.
    public static func real(_ path: String) -> String? {
        guard !path.utf8.contains(0), let found = realpath(equivalent(path), nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// Whether there is a symbolic link at a path.
    public static func isLink(_ path: String) -> Bool {
        var facts = stat()
        return lstat(equivalent(path), &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether there is a folder at a path; a symbolic link to a folder does not count.
    public static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return lstat(equivalent(path), &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// Bytes of a file, or of all files in a folder; links are not followed.
    /// - Parameter isCounted: whether a name in a folder counts.
    public static func size(_ path: String, where isCounted: (_ name: String) -> Bool = { _ in true }) -> Int64 {
        let path = equivalent(path)
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return 0 }
        guard facts.st_mode & S_IFMT == S_IFDIR else { return Int64(facts.st_size) }
        return names(in: path).reduce(0) { isCounted($1) ? $0 + size(path + "/" + $1, where: isCounted) : $0 }
    }

    /// Whether a path leads to a file or folder; links are followed, also those of /proc to files without a name.
    public static func isThere(_ path: String) -> Bool { facts(path) != nil }

    /// Whether there is anything at a path, a symbolic link that leads nowhere included.
    public static func isTaken(_ path: String) -> Bool {
        var facts = stat()
        return lstat(equivalent(path), &facts) == 0
    }

    /// Gives a file or a folder another name on the same disk.
    /// - Throws: ``OutputError`` also when there is something of this name.
    public static func move(_ path: String, to place: String) throws(OutputError) {
        let (path, place) = (equivalent(path), equivalent(place))
        guard !isTaken(place) else { throw OutputError(place, .exists, "there is a file or folder with this name already") }
        if !isFolder(path) {
            if link(path, place) == 0 {
                unlink(path)
                return
            }
            guard errno != EEXIST else { throw OutputError(place, .exists, "a file with this name has been created meanwhile") }
        }
        // Folders, and file systems without hard links.
        try rename(path, toFree: place)
    }

    /// Renames a file or a folder without replacing another, even one that appears meanwhile: an empty file or folder takes the name first,
    /// and the renaming replaces that.
    static func rename(_ path: String, toFree place: String) throws(OutputError) {
        let isFolder = isFolder(path)
        if isFolder {
            guard mkdir(place, 0o777) == 0 else { throw renaming(place, errno) }
        } else {
            let empty = open(place, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
            guard empty >= 0 else { throw renaming(place, errno) }
            close(empty)
        }
        guard Glibc.rename(path, place) != 0 else { return }
        let number = errno
        // Still empty: nothing was renamed.
        if isFolder { rmdir(place) } else { unlink(place) }
        throw OutputError(place, errno: number)
    }

    private static func renaming(_ place: String, _ number: Int32) -> OutputError {
        number == EEXIST
            ? OutputError(place, .exists, "there is a file or folder with this name already") : OutputError(place, errno: number)
    }

    /// Whether two paths lead to one file, by symbolic or hard links as well.
    public static func isSame(_ one: String, _ other: String) -> Bool {
        guard let one = facts(one), let other = facts(other) else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    /// The `stat` data of the file at a path, links followed; nil when there is none.
    static func facts(_ path: String) -> stat? {
        var facts = stat()
        return stat(equivalent(path), &facts) == 0 ? facts : nil
    }

    /// Names in a folder; empty for anything else.
    public static func names(in folder: String) -> [String] { entries(of: equivalent(folder)) }

    /// Names in the folder at a path, which is taken byte for byte.
    static func entries(of folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

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

/// Room on the disk of a folder.
public enum FreeSpace {
    /// Bytes that may be written; nil when that is unknown. For a folder that does not exist yet, its nearest existing parent counts.
    public static func bytes(in folder: String) -> Int64? {
        var facts = statvfs()
        guard statvfs(existing(folder), &facts) == 0 else { return nil }
        return Int64(clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
    }

    /// Number of the disk that a folder is on; nil when that is unknown.
    public static func disk(of folder: String) -> UInt64? { FilePlace.facts(existing(folder)).map { UInt64($0.st_dev) } }

    /// The folder, or its nearest existing parent.
    private static func existing(_ folder: String) -> String {
        var place = folder
        while !FilePlace.isTaken(place), place != "/", place != "." { place = FilePlace.folder(of: place) }
        return place
    }
}
