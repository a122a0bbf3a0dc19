public import FileOutput
internal import Files
internal import Foundation
internal import Trust

/// Writes the files of an installation to one archive. For threads that may wait.
public struct ArchiveExport {
    /// A file that is not in the archive.
    public struct LeftOut: Sendable, Equatable, Codable {
        public let file: String
        public let reason: String
    }

    /// The archive that was written.
    public struct Report: Sendable, Equatable {
        public var files = 0
        /// Bytes of the files before compression.
        public var size = 0
        public var leftOut: [LeftOut] = []
    }

    /// Size in bytes up to which a file is kept from the first reading, so that it may change meanwhile, and the total of all kept files.
    private static let (mostKept, mostKeptInAll) = (1 << 20, 64 << 20)
    /// Nanoseconds without a change after which a folder counts as complete: the program that wrote it has ended.
    private static let calm = 3_000_000_000

    private let kinds: [ArchiveKind]
    private let program: String

    /// - Parameters:
    ///   - kinds: the files to write.
    ///   - program: version of the program.
    public init(_ kinds: [ArchiveKind], program: String) { (self.kinds, self.program) = (kinds, program) }

    /// - Parameters:
    ///   - output: finished by this call.
    ///   - progress: called with the share that is done, 0 to 1; it returns whether to continue.
    /// - Returns: nil when `progress` returned false.
    /// - Throws: the reason as a sentence.
    public func write(to output: OutputFile, _ format: ArchiveFormat, progress: (Double) -> Bool) throws -> Report? {
        do { return try writeAll(output, format, progress) } catch is ArchiveStop { return nil }
    }

    private func writeAll(_ output: OutputFile, _ format: ArchiveFormat, _ progress: (Double) -> Bool) throws -> Report {
        var report = Report()
        let names = kinds.map { ($0, chosen($0, &report)) }
        let total = names.reduce(0) { $0 + $1.1.reduce(0) { $0 + ((try? RegularFile($1, followsLinks: false).size) ?? 0) } }
        var done = 0
        // Every file is read twice, since the hashes precede the files in the archive; each reading is half of the progress.
        func advance(_ bytes: [UInt8]) throws {
            done += bytes.count
            guard progress(min(1, Double(done) / Double(max(1, 2 * total)))) else { throw ArchiveStop() }
        }
        var manifest = ArchiveManifest(
            program: program, made: Date.now.formatted(.iso8601),
            folders: Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0.folder) }),
            files: [])
        var kept: [String: (bytes: [UInt8], changed: Int)] = [:]
        var keptSize = 0
        for (kind, paths) in names {
            for path in paths {
                let name = String(path.dropFirst(kind.folder.count + 1))
                do {
                    let file = try RegularFile(path, followsLinks: false)
                    let most = kind.files(name)?.most ?? 0
                    guard file.size <= most, kind.problem(name) == nil else {
                        let reason = kind.problem(name) ?? "it has \(file.size) bytes, and an import takes at most \(most); copy it by hand"
                        report.leftOut.append(.init(file: kind.name + "/" + name, reason: reason))
                        continue
                    }
                    let isKept = file.size <= Self.mostKept && keptSize + file.size <= Self.mostKeptInAll
                    var bytes: [UInt8] = []
                    let digest = try FileDigest.sha256(file) {
                        if isKept { bytes += $0 }
                        try advance($0)
                    }
                    let entry = ArchiveManifest.File(kind: kind.name, name: FilePlace.composed(name), size: file.size, sha256: digest)
                    manifest.files.append(entry)
                    if isKept {
                        kept[entry.path] = (bytes, file.changed)
                        keptSize += bytes.count
                    }
                } catch let error as FileError {
                    report.leftOut.append(.init(file: kind.name + "/" + name, reason: error.reason))
                }
            }
        }
        guard manifest.files.count <= ArchiveManifest.most else {
            throw ArchiveError(
                "\(manifest.files.count) files are more than an archive may have (\(ArchiveManifest.most)); choose fewer kinds")
        }
        let writer = try ArchiveWriter(output, format)
        let list = try manifest.encoded()
        try writer.begin(ArchiveManifest.name, size: list.count, changed: Int(clamping: Date().timeIntervalSince1970))
        try writer.write(list[...])
        for entry in manifest.files {
            guard let kind = kinds.first(where: { $0.name == entry.kind }) else { continue }
            if let (bytes, changed) = kept[entry.path] {
                try writer.begin(entry.path, size: bytes.count, changed: changed / 1_000_000_000)
                try writer.write(bytes[...])
                try advance(bytes)
                continue
            }
            let file = try RegularFile(kind.folder + "/" + entry.name, followsLinks: false)
            let isSame = file.size == entry.size
            if isSame { try writer.begin(entry.path, size: file.size, changed: file.changed / 1_000_000_000) }
            let digest =
                isSame
                ? try FileDigest.sha256(file) {
                    try writer.write($0[...]); try advance($0)
                } : ""
            guard digest == entry.sha256 else { throw ArchiveError("\(file.path) was changed meanwhile; export again") }
        }
        try writer.finish()
        try output.finish()
        (report.files, report.size) = (manifest.files.count, manifest.size)
        return report
    }

    /// Paths of the files of a kind that an import would accept.
    private func chosen(_ kind: ArchiveKind, _ report: inout Report) -> [String] {
        var refused: [LeftOut] = []
        func leaveOut(_ name: String, _ reason: String) { refused.append(.init(file: kind.name + "/" + name, reason: reason)) }
        let names = kind.names(refused: leaveOut)
        var problems: [String: String] = [:]
        if let isOpen = kind.isOpen {
            let recent = Int(clamping: Date().timeIntervalSince1970 * 1e9) - Self.calm
            let open = Set(names.map(kind.item)).filter { isOpen(kind.folder + "/" + $0) }
            for name in names where open.contains(kind.item(name)) {
                guard let file = try? RegularFile(kind.folder + "/" + name, followsLinks: false), file.changed > recent else { continue }
                problems[kind.item(name)] = "it is being recorded; export again when it has ended"
            }
        }
        for item in Set(names.map(kind.item)) where problems[item] == nil {
            do { try kind.check(item, isFolder: FilePlace.isFolder(kind.folder + "/" + item), in: kind.folder) } catch {
                problems[item] = "\(error)"
            }
        }
        let good = names.filter { name in
            if let problem = problems[kind.item(name)] { leaveOut(name, problem) }
            return problems[kind.item(name)] == nil
        }
        report.leftOut += refused
        return good.map { kind.folder + "/" + $0 }
    }
}
