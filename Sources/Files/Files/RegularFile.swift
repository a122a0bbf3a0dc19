internal import FileOutput
internal import Glibc

/// A regular file that is open for reading as long as this object exists: the only way in which files from outside are opened.
///
/// Opening never waits: a FIFO without a writer, a device, a socket and a folder are refused. Reading may wait for the disk.
public final class RegularFile: Sendable {
    public let path: String
    /// Size in bytes when it was opened; 0 for files that the kernel generates, such as those in /proc.
    public let size: Int
    /// Time of its last change, nanoseconds since 1970.
    public let changed: Int
    /// Whether other users than its owner may read, write or execute it.
    public let isShared: Bool
    /// For libraries that read from a descriptor; valid as long as this object exists.
    public let descriptor: Int32

    /// Largest size in bytes of a file of text.
    public static let largestText = 8 << 20

    /// - Parameter followsLinks: whether the last part of the path may be a symbolic link.
    /// - Throws: ``FileError`` when nothing can be read there, or it is not a regular file.
    public init(_ path: String, followsLinks: Bool = true) throws(FileError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw FileError(path: "\"\(path)\"", reason: "this is not a path", remedy: "name a file", isMissing: true)
        }
        let path = FilePlace.equivalent(path)
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw Self.refusal(path, errno) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Self.notRegular(path, Self.kind(facts.st_mode))
        }
        FilesRead.insert(facts, path: path)
        self.path = path
        size = Int(facts.st_size)
        changed = Int(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(facts.st_mtim.tv_nsec)
        isShared = facts.st_mode & 0o077 != 0
    }

    deinit { close(descriptor) }

    private static func refusal(_ path: String, _ number: Int32) -> FileError {
        let reason = String(cString: strerror(number))
        switch number {
        // A socket, or a FIFO or device that nothing answers.
        case ENXIO: return notRegular(path, "a socket or a device without a driver")
        case ENOENT, ENOTDIR:
            return FileError(path: path, reason: reason, remedy: "name a file that exists", isMissing: true)
        case ELOOP: return FileError(path: path, reason: reason, remedy: "name the file itself, not a link to it")
        default: return FileError(path: path, reason: reason, remedy: "name a file that this program may read")
        }
    }

    private static func notRegular(_ path: String, _ kind: String) -> FileError {
        FileError(path: path, reason: "it is \(kind), not a regular file", remedy: "name a regular file, or copy its contents into one")
    }

    private static func kind(_ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFIFO: "a FIFO (named pipe)"
        case S_IFCHR, S_IFBLK: "a device"
        case S_IFDIR: "a folder"
        case S_IFSOCK: "a socket"
        default: "something else"
        }
    }

    // MARK: Reading

    /// Fills all of `memory` from a place in the file.
    /// - Returns: false when the file has become shorter or cannot be read.
    public func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
        var done = 0
        while done < memory.count {
            let count = pread(descriptor, memory.baseAddress! + done, memory.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// The whole contents.
    /// - Parameter most: largest number of bytes; a larger file is refused before memory is taken for it.
    /// - Throws: ``FileError`` for a larger file, and when the disk fails.
    public func bytes(atMost most: Int) throws(FileError) -> [UInt8] {
        guard size <= most else { throw tooLarge(size, most) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        var piece = [UInt8](repeating: 0, count: min(max(size, 4096), 1 << 20))
        while true {
            let count = pread(descriptor, &piece, piece.count, off_t(bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.refusal(path, errno) }
            guard count > 0 else { return bytes }
            // The file may be growing.
            guard bytes.count + count <= most else { throw tooLarge(bytes.count + count, most) }
            bytes += piece[..<count]
        }
    }

    /// The whole contents as UTF-8 text, without the byte order mark that editors on Windows write first.
    /// - Parameter most: largest number of bytes.
    /// - Throws: ``FileError`` for a larger file, other text, and when the disk fails.
    public func text(atMost most: Int = largestText) throws(FileError) -> String {
        let bytes = ByteOrderMark.removed(from: try bytes(atMost: most))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileError(path: path, reason: Self.fault(bytes), remedy: "save it as UTF-8, or name another file")
        }
        return text
    }

    /// The reason why some bytes are not UTF-8 text.
    private static func fault(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "it is UTF-16 text" }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        return "it is not UTF-8 text\(line.map { " (line \($0 + 1))" } ?? "")"
    }

    /// The text of the file at a path.
    public static func text(_ path: String) throws(FileError) -> String { try RegularFile(path).text() }

    private func tooLarge(_ size: Int, _ most: Int) -> FileError {
        FileError(path: path, reason: "it has \(size) bytes, but may have at most \(most)", remedy: "name a smaller file")
    }
}

/// Secrets, each in its own file.
extension RegularFile {
    /// Largest size in bytes of a file with a secret.
    private static let largestSecret = 4096

    /// Opens a file that nobody but its owner may read.
    public static func secret(_ path: String) throws(FileError) -> RegularFile {
        let file = try RegularFile(path)
        guard !file.isShared else { throw FileError.shared(path) }
        return file
    }

    /// The first line of a file that nobody but its owner may read.
    ///
    /// - Parameter content: name of the secret, such as "password".
    /// - Throws: ``FileError``, which does not repeat the secret.
    public static func secretLine(_ path: String, _ content: String) throws(FileError) -> String {
        let bytes = ByteOrderMark.removed(from: try secret(path).bytes(atMost: largestSecret))
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, !line.contains(0) else {
            throw FileError(path: path, reason: "its first line is empty", remedy: "write the \(content) into the first line")
        }
        return String(decoding: line, as: UTF8.self)
    }
}

/// The reason why a file cannot be opened or read, and the remedy.
public struct FileError: Error, CustomStringConvertible, Equatable {
    public let path: String
    /// A clause without a full stop: "it is a FIFO (named pipe), not a regular file".
    public let reason: String
    /// A clause in the imperative: "name a regular file".
    public let remedy: String
    /// Whether nothing exists at the path.
    public let isMissing: Bool

    public init(path: String, reason: String, remedy: String, isMissing: Bool = false) {
        (self.path, self.reason, self.remedy, self.isMissing) = (path, reason, remedy, isMissing)
    }

    /// A private file that other users can read.
    public static func shared(_ path: String) -> FileError {
        FileError(path: path, reason: "other users can read it, too", remedy: "run: chmod 600 \(path)")
    }

    public var description: String { "\(path) cannot be read: \(reason); \(remedy)." }
}

/// The three bytes that editors on Windows write before UTF-8 text.
public enum ByteOrderMark {
    private static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The bytes without the mark at their beginning.
    public static func removed(from text: [UInt8]) -> [UInt8] { text.starts(with: bytes) ? Array(text.dropFirst(bytes.count)) : text }
}
