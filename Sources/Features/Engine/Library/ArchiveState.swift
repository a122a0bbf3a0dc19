import Archives
internal import Files
import Foundation

/// The state of exports and imports as clients get it, in JSON.
struct ArchiveState: Encodable, Sendable, Equatable {
    enum Phase: String, Encodable, Sendable {
        case exporting, exported, importing, imported, cancelled, failed
    }

    /// Maximum number of entries in each list; the counts beside the lists include all entries.
    private static let most = 20

    var phase: Phase
    /// Name of the archive.
    var name: String?
    /// Share that is done, 0 to 1.
    var share: Double?
    /// Files of an export, and bytes of the archive.
    var files: Int?
    var size: Int?
    /// The reason of a failure, as a sentence.
    var reason: String?
    var leftOut: [ArchiveExport.LeftOut]?
    var leftOutCount: Int?
    var report: ImportReport?
    var renamedCount: Int?
    var adaptedCount: Int?

    static func failed(_ reason: String) -> ArchiveState { ArchiveState(phase: .failed, reason: reason) }

    static func exported(_ name: String, size: Int, _ report: ArchiveExport.Report) -> ArchiveState {
        ArchiveState(
            phase: .exported, name: name, files: report.files, size: size, leftOut: Array(report.leftOut.prefix(most)),
            leftOutCount: report.leftOut.count)
    }

    static func imported(_ name: String, _ report: ImportReport) -> ArchiveState {
        ArchiveState(
            phase: .imported, name: name, report: report.shortened(to: most), renamedCount: report.renamed.count,
            adaptedCount: report.adapted.count)
    }

    var text: String {
        return (try? JSONEncoder.wire.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
