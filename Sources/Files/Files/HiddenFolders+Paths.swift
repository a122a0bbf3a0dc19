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
