internal import FileOutput
internal import Files
internal import Foundation
internal import Trust

/// A file that clients send in parts, and whose parts survive the end of the program: in a hidden file beside its place, with a
/// description beside that.
struct ResumableUpload: Codable, Sendable {
    /// 32 hexadecimal digits.
    let id: String
    /// Name of the kind of files.
    let kind: String
    let name: String
    /// Bytes of the whole file.
    let length: Int
    /// SHA-256 of the whole file, 64 hexadecimal digits; nil when the client has not said.
    let sha256: String?
    /// Whether a file of this name is replaced.
    let replaces: Bool
    /// Seconds since 1970.
    let begun: Double
    /// The `Upload-Metadata` header; nil for uploads of earlier versions.
    var metadata: String?

    /// Seconds without a part after which an incomplete upload is removed.
    private static let longest = 2 * 24 * 3600.0
    /// Seconds by which an upload was begun in the future: that of another run, when the clock was right.
    private static let future = 60.0
    private static let stem = ".upload-"

    /// - Parameter latest: time of the latest part, seconds since 1970.
    static func end(_ latest: Double) -> Double { latest + longest }

    func partial(_ kind: AcceptedFiles) -> String { "\(kind.folder)/\(Self.stem)\(id).part" }

    func description(_ kind: AcceptedFiles) -> String { "\(kind.folder)/\(Self.stem)\(id).json" }

    /// Makes the incomplete file and its description.
    func begin(_ kind: AcceptedFiles) throws {
        try FileManager.default.createDirectory(atPath: kind.folder, withIntermediateDirectories: true)
        _ = try PartialFile(creating: partial(kind))
        try OutputFile.write([UInt8](try JSONEncoder.wire.encode(self)), to: description(kind), isSynced: true)
    }

    func remove(_ kind: AcceptedFiles) {
        PartialFile.remove(partial(kind))
        PartialFile.remove(description(kind))
    }

    /// The incomplete uploads that were begun before the time `now`, with their received bytes and the time of the latest part. Uploads
    /// that are too old are removed, and completely received ones are stored. A clock that was set back makes no upload too old.
    static func kept(_ kinds: [AcceptedFiles], now: Double) -> [(upload: ResumableUpload, offset: Int, latest: Double)] {
        kinds.flatMap { kind in
            let names = FilePlace.names(in: kind.folder).filter { $0.hasPrefix(stem) && $0.hasSuffix(".json") }
            return names.compactMap { name -> (ResumableUpload, Int, Double)? in
                // Kinds share folders.
                guard let text = try? RegularFile(kind.folder + "/" + name, followsLinks: false).text(atMost: 65_536),
                    let upload = try? JSONDecoder().decode(ResumableUpload.self, from: Data(text.utf8)),
                    upload.begun < now || upload.begun > now + future, upload.kind == kind.name, upload.id.allSatisfy({ $0.isHexDigit }),
                    kind.problem(upload.name) == nil
                else { return nil }
                let file = try? PartialFile(upload.partial(kind))
                let latest = min(now, max(upload.begun, file?.changed ?? 0))
                guard end(latest) > now, let file, file.length <= upload.length else {
                    upload.remove(kind)
                    return nil
                }
                // The program ended before it was checked.
                if file.length == upload.length, (try? upload.finish(kind, file)) != nil { return nil }
                return (upload, file.length, latest)
            }
        }
    }
}
