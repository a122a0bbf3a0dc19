internal import FileOutput
internal import Foundation

/// Hides the machine's folders in texts for readers who may view, but not control: `/home/anna/Hall/a.wav` becomes `…/a.wav`.
///
/// Known folders are found whatever characters their names have. Other paths are found by their first part, an entry of the machine's root
/// folder, and end where a name is unlikely to go on (``PathEnd``). Addresses of parameters and of pages stay. The time is proportional to
/// the length of the text. For one thread.
public final class HiddenFolders {
    /// A part of known paths, and the known parts below it.
    final class Part {
        private(set) var parts: [(name: [UInt8], part: Part)] = []

        func part(_ name: [UInt8]) -> Part {
            if let known = parts.first(where: { $0.name == name }) { return known.part }
            let part = Part()
            parts.append((name, part))
            return part
        }
    }

    /// Entries of root folders, here and on other machines whose sessions are loaded.
    private static let usualRoots: Set = [
        "Applications", "Library", "Network", "System", "Users", "Volumes", "bin", "boot", "data", "dev", "etc", "home", "lib", "media",
        "mnt",
        "nix", "opt", "private", "proc", "root", "run", "sbin", "snap", "srv", "sys", "tmp", "usr", "var",
    ]
    /// Maximum number of known folders; texts are compared with all of them.
    private static let most = 1024

    let known = Part()
    /// First parts by which paths outside of known folders are recognised.
    let roots: Set<[UInt8]>
    /// First parts of addresses, with the parts that follow them.
    private(set) var addresses: [[UInt8]: Set<[UInt8]>] = [:]
    private var learnt: Set<String> = []
    /// Rises with each folder that is learnt.
    public private(set) var version = 0

    public init() {
        roots = Set(Self.usualRoots.union(FilePlace.names(in: "/")).map { Array($0.utf8) })
    }

    /// Hides a folder and its parent folders.
    /// - Parameter spellings: its absolute path, in all spellings that texts may contain.
    public func learn(_ spellings: String...) {
        for spelling in spellings where spelling.hasPrefix("/") && learnt.count < Self.most {
            for path in [spelling, spelling.precomposedStringWithCanonicalMapping, spelling.decomposedStringWithCanonicalMapping] {
                // Bytes are compared, since Swift treats canonically equivalent texts as equal.
                let bytes = Array(path.utf8)
                guard learnt.insert(bytes.map { String($0) }.joined(separator: " ")).inserted else { continue }
                _ = bytes.split(separator: UInt8(ascii: "/")).reduce(known) { $0.part(Array($1)) }
                version += 1
            }
        }
    }

    /// Exempts the addresses of parameters, for folders that have the same name as a part of them.
    public func spare(_ addresses: some Sequence<String>) {
        for address in addresses where address.hasPrefix("/") {
            let parts = address.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2).map(Array.init)
            guard let first = parts.first else { continue }
            self.addresses[first, default: []].formUnion(parts.dropFirst().prefix(1))
        }
    }

    // MARK: Texts

    /// A text without folders. A text that is JSON stays JSON.
    public func text(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
        return shown(Array(text.utf8), depth: 0).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// JSON whose texts have no folders.
    public func json(_ bytes: [UInt8]) -> [UInt8] { shown(bytes, depth: 0) ?? bytes }

    /// Maximum depth of JSON within the texts of JSON.
    private static let deepest = 8

    /// - Returns: nil for a text that stays as it is.
    private func shown(_ bytes: [UInt8], depth: Int) -> [UInt8]? {
        guard depth < Self.deepest, JSONLiterals.mayBeJSON(bytes) else { return withoutFolders(bytes) }
        return JSONLiterals.replaced(in: bytes) { shown($0, depth: depth + 1) } ?? withoutFolders(bytes)
    }
}

/// The paths in a text that is not JSON.
extension HiddenFolders {
    private static let (slash, ellipsis) = (UInt8(ascii: "/"), Array("…".utf8))

    /// The text with an ellipsis in place of the folders of each path.
    /// - Returns: nil for a text that stays as it is.
    func withoutFolders(_ text: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var (copied, at) = (0, 0)
        while at < text.count {
            guard text[at] == Self.slash, PathEnd.mayBegin(text, at), let end = foldersEnd(text, at) else {
                at += 1
                continue
            }
            result += text[copied..<at]
            result += Self.ellipsis
            copied = end
            at = end + 1
        }
        return copied == 0 ? nil : result + text[copied...]
    }

    /// The end of the folder part of the path that begins at a slash: its last slash, or its end where the path is a known folder.
    /// - Returns: nil when this is not a path of a file system.
    private func foldersEnd(_ text: [UInt8], _ begin: Int) -> Int? {
        guard !isAddress(text, begin) else { return nil }
        if let end = knownEnd(text, begin) { return PathEnd.lastSlash(text, from: end, begin: begin) }
        let first = PathEnd.part(text, after: begin)
        guard roots.contains(Array(text[first])) else { return nil }
        return PathEnd.lastSlash(text, from: first.upperBound, begin: begin)
    }

    /// The end of the longest known folder at a slash; nil for none.
    private func knownEnd(_ text: [UInt8], _ begin: Int) -> Int? {
        var (part, end) = (known, begin)
        while end < text.count, text[end] == Self.slash {
            var start = end
            while start < text.count, text[start] == Self.slash { start += 1 }
            var longest: (end: Int, part: Part)?
            for (name, inside) in part.parts {
                guard let match = PathEnd.match(name, text, at: start), match > longest?.end ?? 0 else { continue }
                longest = (match, inside)
            }
            guard let longest else { break }
            (part, end) = (longest.part, longest.end)
        }
        return end == begin ? nil : end
    }

    /// Whether the address of a parameter begins at a slash.
    private func isAddress(_ text: [UInt8], _ begin: Int) -> Bool {
        let first = PathEnd.part(text, after: begin)
        guard let below = addresses[Array(text[first])] else { return false }
        guard first.upperBound < text.count, text[first.upperBound] == Self.slash else { return true }
        let second = Array(text[PathEnd.part(text, after: first.upperBound)])
        return below.isEmpty || second.isEmpty || below.contains(second) || second.allSatisfy { (0x30...0x39).contains($0) }
    }
}
