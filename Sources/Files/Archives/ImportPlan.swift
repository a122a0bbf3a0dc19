internal import FileOutput
internal import Files
internal import Trust

/// The names that an archive's files get: files that exist already are left out, and others of the same name get a number.
struct ImportPlan {
    private let manifest: ArchiveManifest
    private let kinds: [ArchiveKind]
    private let staging: ImportStaging
    private var paths: MovedPaths
    private(set) var report = ImportReport()
    /// Paths in the staging folders and the new paths.
    private(set) var moves: [(from: String, to: String)] = []

    /// Kinds that name files of other kinds, in their order: takes keep a session, and sessions may name takes.
    private static let naming = ["takes", "sessions"]
    private static let mostNumbers = 1000

    init(_ manifest: ArchiveManifest, _ kinds: [ArchiveKind], _ staging: ImportStaging) {
        (self.manifest, self.kinds, self.staging) = (manifest, kinds, staging)
        paths = MovedPaths(manifest, kinds)
    }

    mutating func make() throws {
        let files = Dictionary(grouping: manifest.files, by: \.kind)
        for kind in kinds where !Self.naming.contains(kind.name) { try place(files[kind.name] ?? [], kind) }
        for name in Self.naming {
            guard let kind = kinds.first(where: { $0.name == name }) else { continue }
            try place((files[name] ?? []).map { try adapted($0, kind) }, kind)
        }
    }

    // MARK: Sessions

    /// Changes the paths in a session's file in the staging folder.
    /// - Returns: the file as it is now.
    private mutating func adapted(_ file: ArchiveManifest.File, _ kind: ArchiveKind) throws -> ArchiveManifest.File {
        guard kind.name == "sessions" || file.name.hasSuffix("/session.json") else { return file }
        let path = staging.folder(kind) + "/" + file.name
        let bytes = try RegularFile(path, followsLinks: false).bytes(atMost: RegularFile.largestText)
        let new = JSONStrings.replacing(in: bytes) { paths.text($0) }
        guard new != bytes else { return file }
        try OutputFile.write(new, to: path, existing: .replaced, isSynced: true)
        report.adapted.append(file.path)
        var file = file
        (file.size, file.sha256) = (new.count, try FileDigest.sha256(RegularFile(path, followsLinks: false)))
        return file
    }

    // MARK: Names

    private mutating func place(_ files: [ArchiveManifest.File], _ kind: ArchiveKind) throws {
        let units = Dictionary(grouping: files) { kind.unit($0.name) }
        guard !units.isEmpty else { return }
        // Files that belong together get the same stem, even if only one of them exists already.
        var taken = Set(kind.presentUnits)
        for (unit, files) in units.sorted(by: { $0.key < $1.key }) {
            var (name, number) = (unit, 1)
            let own = files.filter { !kind.isAbout($0.name) }
            while taken.contains(name) {
                if try isThere(own, kind, unit: unit, as: name) { break }
                // A number must not lead to the name of another file of the archive.
                repeat {
                    number += 1
                    name = kind.numbered(unit, number)
                } while units[name] != nil && !taken.contains(name)
                guard number <= Self.mostNumbers else {
                    throw ArchiveError("there are \(Self.mostNumbers) files \(unit) already; rename some")
                }
            }
            if name != unit { for file in own { rename(file, kind, unit: unit, to: name) } }
            let isNew = taken.insert(name).inserted
            let moved = isNew ? files : files.filter { kind.isAbout($0.name) && !isKept($0, own, kind, unit: unit, as: name) }
            report.identical += files.count - moved.count
            report.added += moved.count
            let items = isNew ? Set(moved.map { kind.movedItem($0.name) }) : Set(moved.map(\.name))
            for item in items.sorted() {
                moves.append((staging.folder(kind) + "/" + item, kind.folder + "/" + kind.renamed(item, unit: unit, to: name)))
            }
        }
    }

    private mutating func rename(_ file: ArchiveManifest.File, _ kind: ArchiveKind, unit: String, to name: String) {
        let new = kind.renamed(file.name, unit: unit, to: name)
        paths.rename(file.name, of: kind.name, to: new)
        report.renamed.append(.init(file: file.path, name: new))
    }

    /// Whether the description or picture of an existing file is kept, so that the archive's is left out.
    private func isKept(_ file: ArchiveManifest.File, _ own: [ArchiveManifest.File], _ kind: ArchiveKind, unit: String, as name: String)
        -> Bool
    {
        guard let subject = AboutFiles.subject(file.name), !own.isEmpty else { return true }
        let present = kind.folder + "/" + kind.renamed(subject, unit: unit, to: name)
        let endings = file.name.hasSuffix(".json") ? [AboutFiles.words] : AboutFiles.pictures
        return endings.contains { FilePlace.isTaken(AboutFiles.path(of: present, $0)) }
    }

    /// Whether all files of a unit exist already with the same contents, under the name of another unit.
    private func isThere(_ files: [ArchiveManifest.File], _ kind: ArchiveKind, unit: String, as name: String) throws -> Bool {
        try files.allSatisfy { file in
            let path = kind.folder + "/" + kind.renamed(file.name, unit: unit, to: name)
            guard let present = try? RegularFile(path, followsLinks: false), present.size == file.size else { return false }
            return try FileDigest.sha256(present) == file.sha256
        }
    }
}

extension ArchiveKind {
    /// The units in the folder, including files that archives leave out.
    fileprivate var presentUnits: [String] {
        guard grouping == .file, depth.upperBound > 1 else {
            return FilePlace.names(in: folder).filter { !$0.hasPrefix(".") }.map { FilePlace.isFolder(folder + "/" + $0) ? $0 : unit($0) }
        }
        var all: [String] = []
        func look(_ prefix: String, _ level: Int) {
            for name in FilePlace.names(in: folder + "/" + prefix) where !name.hasPrefix(".") {
                all.append(prefix + name)
                if level < depth.upperBound, FilePlace.isFolder(folder + "/" + prefix + name) { look(prefix + name + "/", level + 1) }
            }
        }
        look("", 1)
        return all
    }

    /// The file or folder that is renamed as a whole: folders whose files belong together, else the file.
    fileprivate func movedItem(_ name: String) -> String {
        guard grouping != .file, !name.hasPrefix(AboutFiles.folder + "/"), let slash = name.firstIndex(of: "/") else { return name }
        return String(name[..<slash])
    }
}
