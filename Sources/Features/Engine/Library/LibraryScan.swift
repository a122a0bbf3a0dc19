import CRealtime
import FileOutput
import Foundation
import Glibc

/// Scan of the media library's folders. Opens only descriptions that have changed.
struct LibraryScan: Sendable {
    /// Maximum number of files in the list.
    static let most = 10_000
    /// Seconds without a change after which a file of a take counts as complete.
    private static let calm = 3.0
    let files: [LibraryFile]
    /// Requests for those files whose facts are read, in the order of ``files``.
    let contents: [FactsRequest]
    /// Bytes of all files in the program's own folders, listed or not, of their trash, and of the listed files in other folders.
    let size: Int64
    /// Bytes of the trash alone.
    let trash: Int64
    /// Whether there are more files than ``most``.
    let isTruncated: Bool
    /// Duration of the scan, seconds.
    let seconds: Double
    /// Descriptions of files.
    let abouts: AboutScan

    /// - Parameters:
    ///   - known: descriptions that the last scan found.
    ///   - leftovers: unused files in hidden folders; old ones are removed.
    init(_ folders: [LibraryFolder], known: AboutScan, leftovers: LibraryLeftovers) {
        let begin = Date()
        var abouts = AboutScan(after: known)
        var (files, size, isTruncated) = ([LibraryFile](), Int64(0), false)
        leftovers.tidy()
        func add(_ folder: LibraryFolder, _ name: String) {
            guard var file = Self.file(folder, name) else { return }
            if folder.isOwn { file.about = abouts.about(folder.path + "/" + name) }
            if !folder.isOwn { size += file.size }
            if files.count < Self.most { files.append(file) } else { isTruncated = true }
        }
        for folder in folders {
            // Files that are not listed count as well: descriptions, pictures, motion of takes. Incomplete uploads do not: room is reserved
            // for them.
            if folder.isOwn { size += FilePlace.size(folder.path) { $0 != ".trash" && !$0.hasPrefix(".upload-") } }
            for name in folder.only.map({ [$0] }) ?? Self.names(in: folder.path) {
                guard folder.isDeep else {
                    add(folder, name)
                    continue
                }
                for inside in Self.names(in: folder.path + "/" + name) { add(folder, name + "/" + inside) }
            }
        }
        trash = folders.filter(\.hasTrash).reduce(0) { $0 + Trash(of: $1.path).size }
        (self.files, self.size, self.isTruncated) = (files, size + trash, isTruncated)
        // Takes that are being recorded grow: they are measured when they have ended.
        let settled = Int(clamping: (begin.timeIntervalSince1970 - Self.calm) * 1e9)
        let takes = ClientFiles.Kind.takes.rawValue
        contents = files.compactMap { file in
            guard file.kind != takes || file.changed <= settled else { return nil }
            guard let content = Self.content(file), let key = Self.key(file, folders) else { return nil }
            return FactsRequest(key: key, content: content)
        }
        self.abouts = abouts
        seconds = Date().timeIntervalSince(begin)
    }

    /// Whether a file is a recording, or the recording of an array in a take.
    private static func isRing(_ file: LibraryFile) -> Bool {
        file.kind == ClientFiles.Kind.recordings.rawValue
            || file.kind == ClientFiles.Kind.takes.rawValue && FilePlace.name(of: file.name).hasPrefix("array.")
    }

    /// Names without hidden files, in order.
    private static func names(in folder: String) -> [String] {
        FilePlace.names(in: folder).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Content of a file whose facts are read; nil for others.
    private static func content(_ file: LibraryFile) -> FactsRequest.Content? {
        if file.kind == LibraryFolder.videos { return .video }
        if file.kind == ClientFiles.Kind.hrtf.rawValue { return .hrtf }
        let ending = URL(filePath: file.name).pathExtension.lowercased()
        guard file.isFolder == true || LibraryFolder.sounds.contains(ending) else { return nil }
        return isRing(file) ? .ring : .sound
    }

    /// The key of a file whose facts are read; nil for other files.
    static func key(_ file: LibraryFile, _ folders: [LibraryFolder]) -> SummaryKey? {
        guard content(file) != nil, let folder = folders.first(where: { $0.place == file.place }) else { return nil }
        return SummaryKey(path: folder.path + "/" + file.name, size: file.size, changed: file.changed)
    }

    private static func file(_ folder: LibraryFolder, _ name: String) -> LibraryFile? {
        let path = folder.path + "/" + name
        var facts = stat()
        // Names that are not UTF-8 can neither be sent nor used in an address.
        guard !name.contains("\u{FFFD}"), isInside(folder, name), stat(path, &facts) == 0 else { return nil }
        let isFolder = facts.st_mode & S_IFMT == S_IFDIR
        guard isFolder || facts.st_mode & S_IFMT == S_IFREG else { return nil }
        let ending = isFolder ? "" : URL(filePath: name).pathExtension.lowercased()
        guard isFolder || !ending.isEmpty, let kind = folder.kind(ending) else { return nil }
        let size = isFolder ? sizeOfSounds(path) : Int64(facts.st_size)
        guard let size else { return nil }
        return LibraryFile(
            place: folder.place, kind: kind, name: FilePlace.composed(name), path: folder.isReadOnly ? FilePlace.composed(path) : nil,
            size: size,
            changed: Int(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(facts.st_mtim.tv_nsec), isReadOnly: folder.isReadOnly,
            isFolder: isFolder ? true : nil)
    }

    /// Whether no symbolic link leads a name out of its folder.
    private static func isInside(_ folder: LibraryFolder, _ name: String) -> Bool {
        let parts = name.split(separator: "/")
        let places = parts.indices.map { folder.path + "/" + parts[...$0].joined(separator: "/") }
        guard places.contains(where: FilePlace.isLink) else { return true }
        guard let real = FilePlace.real(folder.path + "/" + name), let root = FilePlace.real(folder.path) else { return false }
        return real.hasPrefix(root == "/" ? root : root + "/")
    }

    /// Bytes of the sound files in a folder of mono files; nil without any.
    private static func sizeOfSounds(_ path: String) -> Int64? {
        var (size, count) = (Int64(0), 0)
        for name in FilePlace.names(in: path) where LibraryFolder.sounds.contains(URL(filePath: name).pathExtension.lowercased()) {
            var facts = stat()
            guard stat(path + "/" + name, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
            size += Int64(facts.st_size)
            count += 1
        }
        return count > 0 ? size : nil
    }
}

/// Descriptions of files, read again when they have changed.
struct AboutScan: Sendable {
    private struct Known: Sendable {
        var size: Int64
        var changed: Int
        var words: FileAbout
    }

    /// By path.
    private var known: [String: Known] = [:]
    private let former: [String: Known]
    /// Names in the hidden folders, by folder.
    private var names: [String: Set<String>] = [:]

    init() { former = [:] }

    init(after last: AboutScan) { former = last.known }

    /// The description and the picture of a file; nil for none.
    mutating func about(_ file: String) -> FileAbout? {
        let folder = FilePlace.folder(of: file) + "/" + AboutFiles.folder
        let names = self.names[folder] ?? Set(FilePlace.names(in: folder))
        self.names[folder] = names
        guard !names.isEmpty else { return nil }
        let name = FilePlace.name(of: file)
        var about = names.contains("\(name).\(AboutFiles.words)") ? words(AboutFiles.path(of: file, AboutFiles.words)) : nil
        if let ending = AboutFiles.pictures.first(where: { names.contains("\(name).\($0)") }) {
            var described = about ?? FileAbout()
            (described.cover, described.coverChanged) = (ending, Self.facts(AboutFiles.path(of: file, ending))?.changed)
            about = described
        }
        return about
    }

    private mutating func words(_ path: String) -> FileAbout? {
        guard let (size, changed) = Self.facts(path) else { return nil }
        if let same = former[path], (same.size, same.changed) == (size, changed) {
            known[path] = same
        } else {
            // A damaged description counts as empty until it has changed.
            let words = (try? FileAbout.read(path).checked()) ?? FileAbout()
            known[path] = Known(size: size, changed: changed, words: words)
        }
        return known[path]?.words
    }

    private static func facts(_ path: String) -> (size: Int64, changed: Int)? {
        var facts = stat()
        guard lstat(FilePlace.equivalent(path), &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Int64(facts.st_size), Int(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(facts.st_mtim.tv_nsec))
    }
}

/// Archives and pictures in hidden folders that clients have sent but not used. For threads that may wait.
struct LibraryLeftovers: Sendable {
    /// Seconds after which they are removed.
    private static let longest = 2 * 24 * 3600
    let folders: [String]

    /// Removes files that are too old.
    func tidy() {
        let now = time(nil)
        for folder in folders {
            for name in FilePlace.names(in: folder) where name != "." && name != ".." {
                var facts = stat()
                guard lstat(folder + "/" + name, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
                // Incomplete uploads, whose names begin with a dot, are removed by the part of the program that receives them.
                if now - facts.st_mtim.tv_sec > Self.longest, !name.hasPrefix(".") { PartialFile.remove(folder + "/" + name) }
            }
        }
    }
}
