internal import FileOutput
internal import Files
internal import Foundation
internal import Trust

/// Adds the files of an archive to an installation: all of them, or none. Existing files stay unchanged. For threads that may wait.
public struct ArchiveImport {
    private let kinds: [ArchiveKind]
    private let promise: (_ bytes: Int64) -> Int64?
    private static let piece = 1 << 20

    /// - Parameters:
    ///   - kinds: all kinds of files of the installation.
    ///   - promise: reserves room for files of a total size; returns nil, or the bytes that are free if they are fewer.
    public init(_ kinds: [ArchiveKind], promise: @escaping (_ bytes: Int64) -> Int64?) { (self.kinds, self.promise) = (kinds, promise) }

    /// Completes or removes imports during which the program ended.
    public static func settle(_ kinds: [ArchiveKind]) { ImportStaging.settle(kinds) }

    /// Reads the list of an archive's files, and checks their names and sizes, but not their contents.
    /// - Throws: the reason as a sentence, without the name of the archive at its beginning.
    @discardableResult
    public func list(_ path: String) throws -> ArchiveManifest { try list(ArchiveReader(path)) }

    /// - Parameter progress: called with the share that is done, 0 to 1; it returns whether to continue.
    /// - Returns: nil when `progress` returned false; nothing is changed then.
    /// - Throws: the reason as a sentence; nothing is changed then.
    public func read(_ path: String, progress: (Double) -> Bool) throws -> ImportReport? {
        do { return try readAll(ArchiveReader(path), progress) } catch is ArchiveStop { return nil }
    }

    private func readAll(_ reader: ArchiveReader, _ progress: (Double) -> Bool) throws -> ImportReport {
        let manifest = try list(reader)
        let staging = try ImportStaging(kinds)
        try extract(reader, manifest, staging) { share in
            guard progress(0.9 * share) else { throw ArchiveStop() }
        }
        var plan = ImportPlan(manifest, kinds, staging)
        try plan.make()
        try check(manifest, staging) { share in
            guard progress(0.9 + 0.1 * share) else { throw ArchiveStop() }
        }
        try staging.finish(plan.moves)
        return plan.report
    }

    private func list(_ reader: ArchiveReader) throws -> ArchiveManifest {
        guard let entry = try reader.next(), entry.name == ArchiveManifest.name, entry.problem == nil else {
            throw ArchiveError("it does not begin with \(ArchiveManifest.name); choose a file that `vestibule archive export` wrote")
        }
        guard entry.size <= ArchiveManifest.longest else {
            throw ArchiveError("its list of files has \(entry.size) bytes; it may have at most \(ArchiveManifest.longest)")
        }
        var bytes: [UInt8] = []
        while bytes.count < entry.size {
            let more = try reader.read(atMost: min(Self.piece, entry.size - bytes.count))
            guard !more.isEmpty else { throw ArchiveError("its list of files is incomplete; export it or send it again") }
            bytes += more
        }
        let manifest = try ArchiveManifest.read(bytes, kinds)
        if let room = promise(Int64(manifest.size)) {
            throw ArchiveError(
                "its files have \(manifest.size) bytes, and the library may grow by \(max(0, room)); see --library-limit",
                mayPass: true)
        }
        let disks = Dictionary(grouping: kinds) { FreeSpace.disk(of: $0.folder) }
        for kinds in disks.values {
            let names = Set(kinds.map(\.name))
            let size = manifest.files.reduce(0) { $0 + (names.contains($1.kind) ? $1.size : 0) }
            guard size > 0, let free = FreeSpace.bytes(in: kinds[0].folder), free < Int64(size) else { continue }
            throw ArchiveError(
                "there are \(free) bytes free for \(kinds[0].folder), but its files need \(size); free some space", mayPass: true)
        }
        return manifest
    }

    private func extract(
        _ reader: ArchiveReader, _ manifest: ArchiveManifest, _ staging: ImportStaging, _ progress: (Double) throws -> Void
    ) throws {
        var waiting = Dictionary(uniqueKeysWithValues: manifest.files.map { ($0.path, $0) })
        let kinds = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
        while let entry = try reader.next() {
            func refuse(_ reason: String) -> ArchiveError { ArchiveError("\(ArchiveManifest.shown(entry.name)) is refused: \(reason)") }
            if let problem = entry.problem { throw refuse(problem) }
            guard let file = waiting.removeValue(forKey: entry.name), let kind = kinds[file.kind] else {
                throw refuse("it is not in the archive's list of files, or occurs twice")
            }
            guard entry.size == file.size else { throw refuse("it has \(entry.size) bytes, and the list says \(file.size)") }
            let place = try staging.place(file.name, of: kind)
            let output = try PartialFile(creating: place)
            let digest = RunningDigest()
            var done = 0
            while true {
                let bytes = try reader.read(atMost: Self.piece)
                guard !bytes.isEmpty else { break }
                done += bytes.count
                guard done <= file.size else { throw refuse("it has more bytes than the list says") }
                digest.add(bytes)
                try output.write(bytes)
                try progress(Double(reader.done) / Double(max(1, reader.size)))
            }
            guard done == file.size, Digest.hexadecimal(digest.finish()) == file.sha256 else {
                throw refuse("its contents do not have the SHA-256 of the list: they are damaged")
            }
            try output.sync()
        }
        if let missing = waiting.keys.min() {
            throw ArchiveError(
                "\(waiting.count) of \(manifest.files.count) files are missing, the first \(missing); export the archive or send it again")
        }
    }

    /// Checks the contents of all files in the same way as those of uploads.
    private func check(_ manifest: ArchiveManifest, _ staging: ImportStaging, _ progress: (Double) throws -> Void) throws {
        let items = Dictionary(grouping: manifest.files, by: \.kind)
        var done = 0
        for kind in kinds {
            let folder = staging.folder(kind)
            for item in Set((items[kind.name] ?? []).map { kind.item($0.name) }).sorted() {
                do { try kind.check(item, isFolder: FilePlace.isFolder(folder + "/" + item), in: folder) } catch {
                    let reason = "\(error)".replacing(folder + "/", with: "")
                    throw ArchiveError("\(kind.name)/\(item) is refused: \(reason)")
                }
                done += 1
                try progress(min(1, Double(done) / Double(max(1, manifest.files.count))))
            }
        }
    }
}

/// The files that an import brought.
public struct ImportReport: Sendable, Equatable, Codable {
    /// A file that has another name than in the archive, because there was another file of that name.
    public struct Renamed: Sendable, Equatable, Codable {
        public let file: String
        public let name: String
    }

    /// Files that were added.
    public internal(set) var added = 0
    /// Files that were there already, with the same contents.
    public internal(set) var identical = 0
    public internal(set) var renamed: [Renamed] = []
    /// Sessions whose paths were adapted to the folders and names of this installation.
    public internal(set) var adapted: [String] = []
}

extension ImportReport {
    /// The report with at most this number of entries in each list.
    public func shortened(to most: Int) -> ImportReport {
        var report = self
        (report.renamed, report.adapted) = (Array(renamed.prefix(most)), Array(adapted.prefix(most)))
        return report
    }
}
