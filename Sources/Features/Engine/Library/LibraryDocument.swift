import Foundation
import Media

/// The list of the media library as clients get it.
struct LibraryDocument: Sendable {
    /// A file that was read, or the reason why it cannot be.
    struct Measured: Sendable {
        let facts: FileFacts?
        let problem: String?
    }

    let files: [LibraryFile]
    /// Size of all files in bytes, and its limit; nil for no limit.
    let size: Int64
    let limit: Int64?
    /// Bytes of deleted files, which are included in the size.
    let trash: Int64
    /// Number of files that have not been read yet.
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
            let facts = known.facts
            (file.sound, file.video, file.hrtf) = (facts?.sound?.withoutSpectrogram, facts?.video, facts?.hrtf)
            file.problem = known.problem
            return file
        }
        (self.waiting, size, self.limit, isTruncated) = (waiting, scan.size, limit, scan.isTruncated)
        trash = scan.trash
    }
}
