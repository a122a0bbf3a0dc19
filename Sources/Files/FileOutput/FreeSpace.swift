internal import Glibc

/// Room on the disk of a folder.
public enum FreeSpace {
    /// Bytes that may be written; nil when that is unknown. A folder that does not exist yet counts as the one that it will be made in.
    public static func bytes(in folder: String) -> Int64? {
        var facts = statvfs()
        guard statvfs(existing(folder), &facts) == 0 else { return nil }
        return Int64(clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
    }

    /// Number of the disk that a folder is on; nil when that is unknown.
    public static func disk(of folder: String) -> UInt64? { FilePlace.facts(existing(folder)).map { UInt64($0.st_dev) } }

    /// The folder, or the one that it will be made in.
    private static func existing(_ folder: String) -> String {
        var place = folder
        while !FilePlace.isTaken(place), place != "/", place != "." { place = FilePlace.folder(of: place) }
        return place
    }
}
