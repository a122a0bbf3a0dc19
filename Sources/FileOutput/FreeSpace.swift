internal import Glibc

/// Room on the disk of a folder.
public enum FreeSpace {
    /// Bytes that may be written; nil when that is unknown. A folder that does not exist yet counts as the one that it will be made in.
    public static func bytes(in folder: String) -> Int64? {
        var place = folder
        var facts = statvfs()
        while statvfs(place, &facts) != 0 {
            guard errno == ENOENT, place != "/", place != "." else { return nil }
            place = FilePlace.folder(of: place)
        }
        return Int64(clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
    }
}
