import FileOutput
import Files
import Foundation
import Media

/// Facts about files, kept in one file between runs. For threads that may wait.
struct SummaryCache: Sendable {
    struct Entry: Codable, Sendable {
        var key: SummaryKey
        var facts: FileFacts
    }

    private struct Document: Codable {
        var version = Self.current
        var entries: [Entry]
        static let current = 5
    }

    /// Maximum size of the file in bytes.
    private static let most = 128 << 20
    let path: String

    static var standard: SummaryCache { SummaryCache(path: UserFolder.cache + "/library.json") }

    /// The contents of the file; empty when it is missing, damaged or of another version, so that everything is measured again.
    func read() -> [SummaryKey: FileFacts] {
        guard let file = try? RegularFile(path), let bytes = try? file.bytes(atMost: Self.most),
            let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)), document.version == Document.current
        else { return [:] }
        return Dictionary(document.entries.map { ($0.key, $0.facts) }) { $1 }
    }

    /// - Throws: an error with the reason when the file cannot be written.
    func write(_ facts: [SummaryKey: FileFacts]) throws {
        let entries = facts.map { Entry(key: $0.key, facts: $0.value) }.sorted { $0.key.path < $1.key.path }
        let bytes = [UInt8](try JSONEncoder.wire.encode(Document(entries: entries)))
        try FileManager.default.createDirectory(atPath: FilePlace.folder(of: path), withIntermediateDirectories: true)
        try OutputFile.write(bytes, to: path, existing: .replaced)
    }
}
