import CRealtime
import FileOutput
import Foundation
import Glibc

/// A look at the folders of the media library, which opens no file but new words about files.
struct LibraryScan: Sendable {
    /// Files in the list.
    static let most = 10_000
    /// Seconds without a change after which a file of a take is complete.
    private static let calm = 3.0
    let files: [LibraryFile]
    /// Keys of the sound files among them, in their order.
    let sounds: [SummaryKey]
    /// Those of recordings of arrays.
    let rings: Set<SummaryKey>
    /// Bytes of all files, those that are not listed included, and of the trash.
    let size: Int64
    /// Bytes of the trash alone.
    let trash: Int64
    /// Whether there are more files than ``most``.
    let isTruncated: Bool
    /// Seconds that the look took.
    let seconds: Double
    /// The words about files.
    let abouts: AboutScan

    /// - Parameters:
    ///   - known: words that the last look found.
    ///   - leftovers: files that count, and are not listed.
    init(_ folders: [LibraryFolder], known: AboutScan, leftovers: LibraryLeftovers) {
        let begin = Date()
        var abouts = AboutScan(after: known)
        var (files, size, isTruncated) = ([LibraryFile](), leftovers.tidy(), false)
        func add(_ folder: LibraryFolder, _ name: String) {
            guard var file = Self.file(folder, name) else { return }
            if folder.isOwn { file.about = abouts.about(folder.path + "/" + name) }
            size += file.size
            if files.count < Self.most { files.append(file) } else { isTruncated = true }
        }
        for folder in folders {
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
        sounds = files.compactMap { $0.kind == takes && $0.changed > settled ? nil : Self.key($0, folders) }
        rings = Set(files.filter(Self.isRing).compactMap { Self.key($0, folders) })
        self.abouts = abouts
        seconds = Date().timeIntervalSince(begin)
    }

    /// Whether a file is a recording, or that of an array in a take.
    private static func isRing(_ file: LibraryFile) -> Bool {
        file.kind == ClientFiles.Kind.recordings.rawValue
            || file.kind == ClientFiles.Kind.takes.rawValue && FilePlace.name(of: file.name).hasPrefix("array.")
    }

    /// Names without hidden files, in order.
    private static func names(in folder: String) -> [String] {
        FilePlace.names(in: folder).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The key of a sound file; nil for other files.
    static func key(_ file: LibraryFile, _ folders: [LibraryFolder]) -> SummaryKey? {
        guard LibraryFolder.sounds.contains(URL(filePath: file.name).pathExtension.lowercased()),
            let folder = folders.first(where: { $0.place == file.place })
        else { return nil }
        return SummaryKey(path: folder.path + "/" + file.name, size: file.size, changed: file.changed)
    }

    private static func file(_ folder: LibraryFolder, _ name: String) -> LibraryFile? {
        let path = folder.path + "/" + name
        var facts = stat()
        // Text that is not UTF-8 cannot be sent, nor come back in an address.
        guard !name.contains("\u{FFFD}"), isInside(folder, name), stat(path, &facts) == 0 else { return nil }
        let isFolder = facts.st_mode & S_IFMT == S_IFDIR
        guard isFolder || facts.st_mode & S_IFMT == S_IFREG else { return nil }
        let ending = isFolder ? "" : URL(filePath: name).pathExtension.lowercased()
        guard isFolder || !ending.isEmpty, let kind = folder.kind(ending) else { return nil }
        let size = isFolder ? sizeOfSounds(path) : Int64(facts.st_size)
        guard let size else { return nil }
        return LibraryFile(
            place: folder.place, kind: kind, name: name, path: folder.isReadOnly ? path : nil, size: size,
            changed: Int(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(facts.st_mtim.tv_nsec), isReadOnly: folder.isReadOnly)
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
