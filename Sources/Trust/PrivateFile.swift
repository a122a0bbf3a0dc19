internal import Glibc

/// A file for its owner alone (mode 0600), written whole or not at all.
public enum PrivateFile {
    /// Nothing that is kept this way is longer.
    private static let longest = 1 << 20

    /// - Returns: nil when there is no such file.
    /// - Throws: ``TrustError/open(_:)`` when others can read it, ``TrustError/notReadable(_:_:)``.
    public static func read(_ path: String) throws(TrustError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw .notReadable(path, reason) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .notReadable(path, "it is no file")
        }
        guard facts.st_mode & 0o077 == 0 else { throw .open(path) }
        return try contents(of: descriptor, path)
    }

    /// As ``read(_:)``, whoever else may read it.
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

    /// Makes the folders to it, too (mode 0700). What was there before is there until all of the new is.
    public static func write(_ text: String, to path: String) throws(TrustError) {
        for end in path.indices.dropFirst() where path[end] == "/" { _ = mkdir(String(path[..<end]), 0o700) }
        let partial = "\(path).\(getpid()).part"
        unlink(partial)
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .notWritable(path, reason) }
        let isWritten = writeAll(Array(text.utf8), to: descriptor) && fsync(descriptor) == 0
        let problem = reason
        guard close(descriptor) == 0, isWritten, rename(partial, path) == 0 else {
            let late = isWritten ? reason : problem
            unlink(partial)
            throw .notWritable(path, late)
        }
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

    /// Does something that no other process of this user does meanwhile.
    static func exclusively<Result>(_ path: String, _ body: () throws(TrustError) -> Result) throws(TrustError) -> Result {
        for end in path.indices.dropFirst() where path[end] == "/" { _ = mkdir(String(path[..<end]), 0o700) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notWritable(path, reason) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 { guard errno == EINTR else { throw .notWritable(path, reason) } }
        return try body()
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
