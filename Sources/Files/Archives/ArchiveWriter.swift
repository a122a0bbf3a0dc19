internal import CArchive
internal import FileOutput
internal import Files
internal import Foundation
internal import Glibc

/// Writes a tar archive with libarchive. Used by one thread.
final class ArchiveWriter {
    /// `AE_IFREG`, a macro that Swift does not import.
    private static let regularFile: UInt32 = 0o100_000
    private let archive: OpaquePointer
    private let file: OutputFile
    private let locale = LocaleOfNames()

    init(_ file: OutputFile, _ format: ArchiveFormat) throws {
        guard let archive = archive_write_new() else { throw ArchiveError("\(file.path) was not written: there is no memory for it") }
        (self.archive, self.file) = (archive, file)
        let isOpen =
            format.add(to: archive) == ARCHIVE_OK && archive_write_set_format_pax_restricted(archive) == ARCHIVE_OK
            && archive_write_open_fd(archive, file.descriptor) == ARCHIVE_OK
        guard isOpen else { throw failure }
    }

    deinit { archive_write_free(archive) }

    private var failure: any Error {
        let number = archive_errno(archive)
        guard [ENOSPC, EDQUOT, EFBIG].contains(number) else {
            let reason = archive_error_string(archive).map { String(cString: $0) } ?? "libarchive does not say why"
            return OutputError(file.path, .other, reason)
        }
        return OutputError(file.path, errno: number)
    }

    /// Begins a file of the archive.
    /// - Parameter changed: seconds since 1970.
    func begin(_ name: String, size: Int, changed: Int) throws {
        guard let entry = archive_entry_new() else { throw failure }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname(entry, name)
        archive_entry_set_size(entry, Int64(size))
        archive_entry_set_filetype(entry, Self.regularFile)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_mtime(entry, time_t(changed), 0)
        guard archive_write_header(archive, entry) == ARCHIVE_OK else { throw failure }
    }

    /// Writes bytes of the current file.
    func write(_ bytes: ArraySlice<UInt8>) throws {
        let count = bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw failure }
    }

    /// Completes the archive, but not its file.
    func finish() throws {
        guard archive_write_close(archive) == ARCHIVE_OK else { throw failure }
    }
}

/// The compression of an archive, by the ending of its name.
public enum ArchiveFormat: String, CaseIterable, Sendable {
    case zstandard = "tar.zst", gzip = "tar.gz", none = "tar"

    /// - Returns: nil for a name with another ending.
    public init?(path: String) {
        guard let found = Self.allCases.first(where: { path.lowercased().hasSuffix(".\($0.rawValue)") }) else { return nil }
        self = found
    }

    /// Adds the compression to a libarchive writer.
    func add(to archive: OpaquePointer) -> Int32 {
        switch self {
        case .zstandard: archive_write_add_filter_zstd(archive)
        case .gzip: archive_write_add_filter_gzip(archive)
        case .none: archive_write_add_filter_none(archive)
        }
    }
}
