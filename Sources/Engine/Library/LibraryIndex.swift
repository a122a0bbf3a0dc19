import Foundation
import Glibc
import Media

/// The list of the media library in JSON, and what finds parts of it. Made on a thread that may compute for long; asked on any.
struct LibraryIndex: Sendable {
    /// A file as its order and searches need it.
    private struct Entry: Sendable {
        let json: [UInt8]
        let kind: String
        let tags: [String]
        /// Name, kind and description in lower case, UTF-8, with a zero at the end.
        let words: [CChar]
    }

    /// Values by which files are ordered, the largest first, as clients name them.
    private static let values: [(name: String, value: @Sendable (LibraryFile) -> Double)] = [
        ("changed", { Double($0.changed) }), ("size", { Double($0.size) }), ("seconds", { $0.sound?.seconds ?? 0 }),
        ("loudness", { $0.sound?.loudness ?? -.infinity }),
    ]

    /// The whole list.
    let bytes: [UInt8]
    private let entries: [Entry]
    /// Places of the entries in each order.
    private let orders: [String: [Int]]
    /// Members of every answer besides the files, in JSON, each with a comma before it.
    private let figures: [UInt8]

    init(_ document: LibraryDocument) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let entries = document.files.map { file in
            let about = file.about
            let words = [file.name, file.kind, file.place, about?.title ?? "", about?.text ?? ""] + (about?.tags ?? [])
            return Entry(
                json: (try? encoder.encode(file)).map { [UInt8]($0) } ?? Array("{}".utf8), kind: file.kind, tags: about?.tags ?? [],
                words: Array(words.joined(separator: " ").lowercased().utf8CString))
        }
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
        self.entries = entries
        bytes = Self.list(entries.map(\.json)) + figures + [UInt8(ascii: "}")]
    }

    private static func list(_ files: [[UInt8]]) -> [UInt8] {
        Array(#"{"files":["#.utf8) + files.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    /// A part of the list: the files that were found, from place `from` on.
    ///
    /// - Parameters:
    ///   - search: words between spaces, all of which are in name, kind or description.
    ///   - kind: empty for all.
    ///   - tag: empty for all.
    ///   - order: `name`, `changed`, `size`, `seconds` or `loudness`.
    func page(search: String, kind: String, tag: String, order: String, from: Int, count: Int) -> [UInt8] {
        let words = search.lowercased().split(whereSeparator: \.isWhitespace).prefix(16).map { Array(String($0).utf8CString) }
        let found = (orders[order] ?? []).filter { place in
            let entry = entries[place]
            return (kind.isEmpty || entry.kind == kind) && (tag.isEmpty || entry.tags.contains(tag))
                && words.allSatisfy { Self.contains(entry.words, $0) }
        }
        let part = found.dropFirst(from).prefix(count).map { entries[$0].json }
        return Self.list(part) + Array(#","found":\#(found.count),"from":\#(from)"#.utf8) + figures + [UInt8(ascii: "}")]
    }

    // SAFETY: both arrays end with a zero, so that the function reads no further.
    private static func contains(_ text: [CChar], _ word: [CChar]) -> Bool { strstr(text, word) != nil }
}
