import Foundation
import Media

/// The list of the media library as clients get it.
struct LibraryDocument: Sendable {
    /// A sound that was measured, or the reason why it cannot be read.
    struct Measured: Sendable {
        let summary: SoundSummary?
        let problem: String?
    }

    let files: [LibraryFile]
    /// Bytes of all files, and how many are allowed; nil for no limit.
    let size: Int64
    let limit: Int64?
    /// Bytes of deleted files, which count in the size.
    let trash: Int64
    /// Sounds that have not been measured yet.
    let waiting: Int
    let isTruncated: Bool

    init(_ scan: LibraryScan, _ measured: [SummaryKey: Measured], folders: [LibraryFolder], limit: Int64?) {
        var waiting = 0
        files = scan.files.map { file in
            guard let key = LibraryScan.key(file, folders) else { return file }
            guard let known = measured[key] else {
                waiting += 1
                return file
            }
            var file = file
            (file.sound, file.problem) = (known.summary?.withoutSpectrogram, known.problem)
            return file
        }
        (self.waiting, size, self.limit, isTruncated) = (waiting, scan.size, limit, scan.isTruncated)
        trash = scan.trash
    }
}
