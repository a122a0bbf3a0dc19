internal import Glibc

/// A file that only its owner can read (mode 0600), and that is written as a whole or not at all.
public enum PrivateFile {
    /// Greatest length in bytes.
    private static let longest = 1 << 20

    /// - Returns: nil when the file does not exist.
    /// - Throws: ``TrustError/open(_:)`` when others can read it, ``TrustError/notReadable(_:_:)``.
    public static func read(_ path: String) throws(TrustError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw .notReadable(path, reason) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .notReadable(path, "it is not a regular file")
        }
        guard facts.st_mode & 0o077 == 0 else { throw .open(path) }
        return try contents(of: descriptor, path)
    }

    /// Reads a file that others may read as well.
    static func readShared(_ path: String) throws(TrustError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .notReadable(path, reason) }
        defer { close(descriptor) }
        return try contents(of: descriptor, path)
    }

    private static func contents(of descriptor: Int32, _ path: String) throws(TrustError) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .notReadable(path, reason) }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
            guard bytes.count <= longest else { throw .notReadable(path, "it is longer than \(longest) bytes") }
        }
    }

    /// Replaces the file, or creates it and its folders (mode 0700). The old contents stay until the new ones are complete.
    public static func write(_ text: String, to path: String) throws(TrustError) {
        let partial = try writePartial(text, for: path)
        guard rename(partial, path) == 0 else {
            let problem = reason
            unlink(partial)
            throw .notWritable(path, problem)
        }
    }

    /// Creates the file and its folders (mode 0700).
    /// - Returns: false when the file exists already.
    public static func create(_ text: String, at path: String) throws(TrustError) -> Bool {
        let partial = try writePartial(text, for: path)
        let isCreated = link(partial, path) == 0
        let (number, problem) = (errno, reason)
        unlink(partial)
        if isCreated { return true }
        guard number == EEXIST else { throw .notWritable(path, problem) }
        return false
    }

    /// Writes the new contents of a file to another file beside it.
    private static func writePartial(_ text: String, for path: String) throws(TrustError) -> String {
        makeFolders(path)
        let partial = "\(path).\(getpid()).part"
        unlink(partial)
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .notWritable(path, reason) }
        let isWritten = writeAll(Array(text.utf8), to: descriptor) && fsync(descriptor) == 0
        let problem = reason
        guard close(descriptor) == 0, isWritten else {
            let late = isWritten ? reason : problem
            unlink(partial)
            throw .notWritable(path, late)
        }
        return partial
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + sent, bytes.count - sent) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Runs `body` while no other process of this user does the same with the same lock file.
    static func exclusively<Result>(_ path: String, _ body: () throws(TrustError) -> Result) throws(TrustError) -> Result {
        makeFolders(path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notWritable(path, reason) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 { guard errno == EINTR else { throw .notWritable(path, reason) } }
        return try body()
    }

    private static func makeFolders(_ path: String) {
        for end in path.indices.dropFirst() where path[end] == "/" { _ = mkdir(String(path[..<end]), 0o700) }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
