import CRealtime
import FileOutput
import Glibc

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
