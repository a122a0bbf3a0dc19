internal import Glibc

/// A file that is only locked, never written: programs that share a resource exclude one another with it.
public enum LockFile {
    /// Opens the file, and creates it if it is missing (mode 0600).
    /// - Returns: a descriptor for `flock`, or -1 with the reason in `errno`.
    public static func open(_ path: String) -> Int32 { Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
}
