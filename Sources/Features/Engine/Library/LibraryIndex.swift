import FileOutput
import Files
import Foundation
import Glibc
import Media

/// The list of the media library in JSON, with an index for finding parts of it. Made on a thread that may compute for long; used on any.
struct LibraryIndex: Sendable {
    /// A file, as sorting and searching need it. The control thread frees an index, so JSON and words of all files share one memory block
    /// each.
    private struct Entry: Sendable {
        /// Place in ``bytes``.
        let json: Range<Int>
        let kind: String
        let tags: [String]
        /// Place of the file's words in ``words``.
        let words: Int
    }

    /// Values by which files are ordered, the largest first, as clients name them.
    private static let values: [(name: String, value: @Sendable (LibraryFile) -> Double)] = [
        ("changed", { Double($0.changed) }), ("size", { Double($0.size) }), ("seconds", { $0.sound?.seconds ?? $0.video?.seconds ?? 0 }),
        ("loudness", { $0.sound?.loudness ?? -.infinity }),
    ]

    /// The whole list.
    let bytes: [UInt8]
    private let entries: [Entry]
    /// Name, kind, place and description of each file in lower case, UTF-8, with a zero at the end.
    private let words: [CChar]
    /// Places of the entries in each order.
    private let orders: [String: [Int]]
    /// Members of every answer besides the files, in JSON, each with a comma before it.
    private let figures: [UInt8]

    init(_ document: LibraryDocument) {
        let encoder = JSONEncoder.wire
        var (bytes, words, entries) = (Self.beginning, [CChar](), [Entry]())
        for file in document.files {
            if !entries.isEmpty { bytes.append(UInt8(ascii: ",")) }
            let (begin, about) = (bytes.count, file.about)
            bytes += (try? encoder.encode(file)) ?? Data("{}".utf8)
            let text = [file.name, file.kind, file.place, about?.title ?? "", about?.text ?? ""] + (about?.tags ?? [])
            entries.append(Entry(json: begin..<bytes.count, kind: file.kind, tags: about?.tags ?? [], words: words.count))
            words += FilePlace.composed(text.joined(separator: " ").lowercased()).utf8CString
        }
        (self.entries, self.words) = (entries, words)
        let titles = document.files.map { $0.about?.title ?? $0.name }
        let byName = titles.indices.sorted {
            titles[$0].compare(titles[$1], options: [.caseInsensitive, .numeric]) == .orderedAscending
        }
        var orders = ["name": byName]
        for (name, value) in Self.values {
            let values = document.files.map(value)
            // The sort is stable: equal values stay in the order of their names.
            orders[name] = byName.sorted { values[$0] > values[$1] }
        }
        self.orders = orders
        let limit = document.limit.map { #","limit":\#($0)"# } ?? ""
        figures = Array(
            (#","isTruncated":\#(document.isTruncated)"# + limit
                + #","size":\#(document.size),"trash":\#(document.trash),"waiting":\#(document.waiting)"#).utf8)
        self.bytes = bytes + [UInt8(ascii: "]")] + figures + [UInt8(ascii: "}")]
    }

    private static let beginning = Array(#"{"files":["#.utf8)

    /// A part of the list: the files that match, from position `from` on.
    ///
    /// - Parameters:
    ///   - search: words separated by spaces, all of which have to be in name, kind, place or description.
    ///   - kind: empty for all.
    ///   - tag: empty for all.
    ///   - order: `name`, `changed`, `size`, `seconds` or `loudness`.
    func page(search: String, kind: String, tag: String, order: String, from: Int, count: Int) -> [UInt8] {
        let words = FilePlace.composed(search.lowercased()).split(whereSeparator: \.isWhitespace).prefix(16).map {
            Array(String($0).utf8CString)
        }
        let found = (orders[order] ?? []).filter { place in
            let entry = entries[place]
            return (kind.isEmpty || entry.kind == kind) && (tag.isEmpty || entry.tags.contains(tag))
                && words.allSatisfy { contains($0, entry) }
        }
        let part = found.dropFirst(from).prefix(count).map { bytes[entries[$0].json] }
        return Self.beginning + part.joined(separator: [UInt8(ascii: ",")])
            + Array(#"],"found":\#(found.count),"from":\#(from)"#.utf8) + figures + [UInt8(ascii: "}")]
    }

    private func contains(_ word: [CChar], _ entry: Entry) -> Bool {
        // SAFETY: the entry's words lie in the array and end with a zero, as the word does: the function reads no further.
        words.withUnsafeBufferPointer { strstr($0.baseAddress! + entry.words, word) != nil }
    }
}

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
