internal import Glibc

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
