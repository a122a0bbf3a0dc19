internal import Glibc

/// A file that is written in parts, between which the program may end: it has its own name until it is complete, and then takes
/// its place. Used by one thread at a time.
public final class PartialFile {
    /// Path of the incomplete file, in the folder of its place.
    public let path: String
    private var descriptor: Int32

    /// Makes an incomplete file without contents.
    /// - Throws: ``OutputError`` also when there is a file of this name.
    public init(creating path: String) throws(OutputError) {
        let path = FilePlace.equivalent(path)
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw OutputError(path, errno: errno) }
    }

    /// Opens an incomplete file.
    public init(_ path: String) throws(OutputError) {
        let path = FilePlace.equivalent(path)
        self.path = path
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw OutputError(path, errno: errno) }
        guard Self.isRegular(descriptor) else {
            close(descriptor)
            descriptor = -1
            throw OutputError(path, .other, "it is not a regular file")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func isRegular(_ descriptor: Int32) -> Bool {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    }

    /// Bytes so far.
    public var length: Int {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int(facts.st_size) : 0
    }

    /// Time of the last change, seconds since 1970.
    public var changed: Double {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Double(facts.st_mtim.tv_sec) : 0
    }

    /// Adds bytes at the end.
    public func write(_ bytes: [UInt8]) throws(OutputError) {
        let end = length
        var done = 0
        while done < bytes.count {
            let (start, offset) = (done, off_t(end + done))
            let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress! + start, $0.count - start, offset) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OutputError(path, errno: errno) }
            done += count
        }
    }

    /// The bytes from an offset to the end.
    public func bytes(from offset: Int) throws(OutputError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, length - offset))
        var done = 0
        while done < bytes.count {
            let start = done
            let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress! + start, $0.count - start, off_t(offset + start)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OutputError(path, errno: errno) }
            done += count
        }
        return bytes
    }

    /// Drops the bytes after the first `length`.
    public func cut(to length: Int) throws(OutputError) {
        if ftruncate(descriptor, off_t(length)) != 0 { throw OutputError(path, errno: errno) }
    }

    /// Waits until what was written is on the disk.
    public func sync() throws(OutputError) {
        if fdatasync(descriptor) != 0 { throw OutputError(path, errno: errno) }
    }

    /// Gives the complete file its name, in the same folder.
    /// - Parameter replaces: whether a file that is there is replaced.
    /// - Throws: ``OutputError``; the incomplete file stays.
    public func finish(as place: String, replaces: Bool) throws(OutputError) {
        let place = FilePlace.equivalent(place)
        try OutputFile.check(place, existing: replaces ? .replaced : .refused)
        try sync()
        if replaces {
            if rename(path, place) != 0 { throw OutputError(place, errno: errno) }
            return
        }
        if link(path, place) == 0 {
            unlink(path)
            return
        }
        // File systems without hard links.
        guard errno != EEXIST, FilePlace.facts(place) == nil, rename(path, place) == 0 else {
            throw OutputError(place, .exists, "a file with this name has been created meanwhile")
        }
    }

    /// Removes an incomplete file; nothing happens when there is none.
    public static func remove(_ path: String) { unlink(FilePlace.equivalent(path)) }
}
