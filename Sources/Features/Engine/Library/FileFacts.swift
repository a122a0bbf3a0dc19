import FileOutput
import Files
import Foundation
import Media

/// Facts about the content of a file of the library; one member is set, by the kind of file.
struct FileFacts: Sendable, Equatable, Codable {
    var sound: SoundSummary?
    var video: VideoSummary?
    var hrtf: HRTFSummary?
}

/// Identifies one version of a file by its path, size and time of change.
struct SummaryKey: Hashable, Sendable, Codable {
    var path: String
    var size: Int64
    var changed: Int
}

/// A file whose facts are to be read for the library.
struct FactsRequest: Equatable, Sendable {
    enum Content {
        case sound
        /// A recording of an array, whose channels are checked.
        case ring
        case video, hrtf
    }

    let key: SummaryKey
    let content: Content

    /// - Parameter progress: called with the share that is done; returns whether to continue.
    /// - Returns: nil when `progress` returned false.
    func facts(_ progress: (Double) -> Bool) throws(MediaError) -> FileFacts? {
        switch content {
        case .sound: try SoundSummary(path: key.path, progress: progress).map { FileFacts(sound: $0) }
        case .ring: try ring(progress).map { FileFacts(sound: $0) }
        case .video: FileFacts(video: try VideoSummary(path: key.path))
        case .hrtf: FileFacts(hrtf: try HRTFSummary(path: key.path))
        }
    }

    /// The reason why the file cannot be read, without the path of its folder, since the library shows file and folder beside it.
    func problem(_ error: MediaError) -> String {
        guard let slash = key.path.lastIndex(of: "/") else { return "\(error)" }
        return "\(error)".replacing(key.path[...slash], with: "")
    }

    private func ring(_ progress: (Double) -> Bool) throws(MediaError) -> SoundSummary? {
        guard var summary = try SoundSummary(path: key.path, progress: progress) else { return nil }
        guard RecordingReader.channelRange.contains(summary.channels) else { return summary }
        // With a sidecar that does not fit, the file is not a recording, but still a sound.
        do throws(MediaError) {
            summary.array = ArrayFacts(try RecordingReader(path: key.path).array)
            guard let ring = try RingFinding(path: key.path, progress: progress) else { return nil }
            summary.ring = ring
        } catch {}
        return summary
    }
}

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
