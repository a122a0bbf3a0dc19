internal import FileOutput
internal import Files
internal import Foundation

/// The list of an archive's files with their SHA-256; the list itself is the first file in the archive.
public struct ArchiveManifest: Codable, Sendable, Equatable {
    /// A file of the archive.
    public struct File: Codable, Sendable, Equatable {
        public var kind: String
        /// Relative to the folder of the kind.
        public var name: String
        /// Bytes.
        public var size: Int
        /// 64 hexadecimal digits.
        public var sha256: String

        /// Its name in the archive.
        var path: String { kind + "/" + name }
    }

    static let name = "vestibule-archive.json"
    static let format = "vestibule-archive"
    /// The version that this program writes and reads.
    static let current = 1
    /// Maximum number of bytes of the list, and of files in it.
    static let (longest, most) = (64 << 20, 100_000)

    public var format = Self.format
    public var version = Self.current
    /// Version of the program that wrote it.
    public var program: String
    /// Date and time in UTC (ISO 8601).
    public var made: String
    /// Absolute paths of the folders that the files were in, by kind: sessions name files by them.
    public var folders: [String: String]
    public var files: [File]

    var size: Int { files.reduce(0) { $0 + $1.size } }

    func encoded() throws -> [UInt8] {
        return [UInt8](try JSONEncoder.file.encode(self))
    }

    /// Reads a list and checks every name and number in it.
    static func read(_ bytes: [UInt8], _ kinds: [ArchiveKind]) throws -> ArchiveManifest {
        struct Version: Codable {
            var format: String
            var version: Int
        }
        guard let head = try? JSONDecoder().decode(Version.self, from: Data(bytes)), head.format == format else {
            throw ArchiveError("its list of files \(name) is not from Vestibule; choose a file that `vestibule archive export` wrote")
        }
        guard head.version == current else {
            throw ArchiveError("it has version \(head.version), and this program reads version \(current); a newer Vestibule reads it")
        }
        var manifest: ArchiveManifest
        do { manifest = try JSONDecoder().decode(ArchiveManifest.self, from: Data(bytes)) } catch {
            throw ArchiveError("its list of files \(name) is damaged; export it again")
        }
        for index in manifest.files.indices { manifest.files[index].name = FilePlace.composed(manifest.files[index].name) }
        try manifest.check(kinds)
        return manifest
    }

    private func check(_ kinds: [ArchiveKind]) throws {
        guard files.count <= Self.most else { throw ArchiveError("it lists \(files.count) files; archives have at most \(Self.most)") }
        let kinds = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
        var (known, total): (Set<String>, Int) = ([], 0)
        for file in files {
            func refuse(_ reason: String) -> ArchiveError { ArchiveError("\(Self.shown(file.path)) is refused: \(reason)") }
            guard let kind = kinds[file.kind] else {
                throw refuse("this kind of files is unknown; the kinds are \(kinds.keys.sorted().joined(separator: ", "))")
            }
            if let problem = kind.problem(file.name) { throw refuse(problem) }
            let most = kind.files(file.name)?.most ?? 0
            guard (0...most).contains(file.size) else { throw refuse("it has \(file.size) bytes; it may have at most \(most)") }
            guard file.sha256.utf8.count == 64, file.sha256.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else {
                throw refuse("its SHA-256 is not 64 hexadecimal digits")
            }
            guard known.insert(file.path).inserted else { throw refuse("it is listed twice") }
            let (sum, isTooLarge) = total.addingReportingOverflow(file.size)
            guard !isTooLarge else { throw refuse("the files are too large together") }
            total = sum
        }
    }

    /// A name of an archive for messages: short, without control characters.
    static func shown(_ name: String) -> String {
        String(name.unicodeScalars.prefix(120).map { $0.value < 32 || (127..<160).contains($0.value) ? " " : Character($0) })
    }
}
