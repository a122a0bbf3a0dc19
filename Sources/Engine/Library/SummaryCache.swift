import FileOutput
import Files
import Foundation
import Media

/// Summaries of sound files, kept in one file between runs. For threads that may wait.
struct SummaryCache: Sendable {
    struct Entry: Codable, Sendable {
        var key: SummaryKey
        var summary: SoundSummary
    }

    private struct Document: Codable {
        var version = Self.current
        var entries: [Entry]
        static let current = 3
    }

    /// Bytes of the file at most.
    private static let most = 128 << 20
    let path: String

    /// `$XDG_CACHE_HOME/vestibule/library.json`, or the same in `~/.cache`.
    static var standard: SummaryCache {
        let given = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return SummaryCache(path: (given ?? NSHomeDirectory() + "/.cache") + "/vestibule/library.json")
    }

    /// The contents of the file; empty when it is missing, damaged or of another version: everything is measured again then.
    func read() -> [SummaryKey: SoundSummary] {
        guard let file = try? RegularFile(path), let bytes = try? file.bytes(atMost: Self.most),
            let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)), document.version == Document.current
        else { return [:] }
        return Dictionary(document.entries.map { ($0.key, $0.summary) }) { $1 }
    }

    /// - Throws: an error with the reason when the file cannot be written.
    func write(_ summaries: [SummaryKey: SoundSummary]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let entries = summaries.map { Entry(key: $0.key, summary: $0.value) }.sorted { $0.key.path < $1.key.path }
        let bytes = [UInt8](try encoder.encode(Document(entries: entries)))
        try FileManager.default.createDirectory(atPath: FilePlace.folder(of: path), withIntermediateDirectories: true)
        try OutputFile.write(bytes, to: path, existing: .replaced)
    }
}
