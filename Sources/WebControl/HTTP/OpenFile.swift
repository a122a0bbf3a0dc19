internal import CRealtime
internal import Glibc

/// A regular file that is open for reading as long as this object exists.
final class OpenFile {
    let size: Int
    /// Time of its last change, nanoseconds since 1970.
    let changed: Int
    private let descriptor: Int32

    /// - Returns: nil for anything but a readable regular file.
    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        size = Int(facts.st_size)
        changed = Int(facts.st_mtim.tv_sec) * 1_000_000_000 + Int(facts.st_mtim.tv_nsec)
    }

    deinit { close(descriptor) }

    /// Fills all of `memory`.
    /// - Returns: false when the file has become shorter or cannot be read.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
        var done = 0
        while done < memory.count {
            let count = pread(descriptor, memory.baseAddress! + done, memory.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
