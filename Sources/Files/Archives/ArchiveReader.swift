internal import CArchive
internal import Files
internal import Glibc

/// Reads a tar archive with libarchive: uncompressed, or compressed by Zstandard or gzip. Used by one thread.
final class ArchiveReader {
    /// An entry of the archive.
    struct Entry {
        let name: String
        let size: Int
        /// The reason to refuse it; nil for a regular file.
        let problem: String?
    }

    private let archive: OpaquePointer
    private let file: RegularFile
    private let locale = LocaleOfNames()
    /// Bytes of the archive, compressed.
    var size: Int { file.size }
    /// Bytes of it that have been read.
    var done: Int { Int(archive_filter_bytes(archive, -1)) }

    init(_ path: String) throws {
        file = try RegularFile(path)
        guard let archive = archive_read_new() else { throw ArchiveError("there is no memory for it") }
        self.archive = archive
        archive_read_support_filter_zstd(archive)
        archive_read_support_filter_gzip(archive)
        archive_read_support_format_tar(archive)
        guard archive_read_open_fd(archive, file.descriptor, 1 << 16) == ARCHIVE_OK else { throw failure }
    }

    deinit { archive_read_free(archive) }

    private var failure: ArchiveError {
        let reason = archive_error_string(archive).map { String(cString: $0) } ?? "libarchive does not say why"
        return ArchiveError("it is damaged or not an archive (\(reason)); export it or send it again")
    }

    /// - Returns: nil at the end.
    func next() throws -> Entry? {
        var entry: OpaquePointer?
        let result = archive_read_next_header(archive, &entry)
        guard result != ARCHIVE_EOF else { return nil }
        guard result >= ARCHIVE_WARN, let entry else { throw failure }
        let name = archive_entry_pathname(entry).map { String(cString: $0) } ?? ""
        return Entry(name: name, size: Int(clamping: archive_entry_size(entry)), problem: Self.problem(entry))
    }

    private static func problem(_ entry: OpaquePointer) -> String? {
        if archive_entry_hardlink(entry) != nil || archive_entry_symlink(entry) != nil { return "it is a link" }
        switch mode_t(archive_entry_filetype(entry)) {
        case S_IFREG: return nil
        case S_IFLNK: return "it is a link"
        case S_IFDIR: return "it is a folder"
        case S_IFCHR, S_IFBLK: return "it is a device"
        case S_IFIFO: return "it is a FIFO (named pipe)"
        default: return "it is not a regular file"
        }
    }

    /// Reads more of the current entry.
    /// - Returns: empty at its end.
    func read(atMost most: Int) throws -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { memory, count in
            let read = archive_read_data(archive, memory.baseAddress, most)
            failed = read < 0
            count = max(0, read)
        }
        guard !failed else { throw failure }
        return bytes
    }
}

/// Gives the calling thread a UTF-8 locale as long as this object exists: libarchive converts names by the locale, and a program that was
/// started without one has only ASCII.
final class LocaleOfNames {
    private let own: locale_t?
    private let former: locale_t?

    init() {
        own = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
        former = own.flatMap { uselocale($0) }
    }

    deinit {
        guard let own else { return }
        uselocale(former)
        freelocale(own)
    }
}
