internal import CArchive

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
