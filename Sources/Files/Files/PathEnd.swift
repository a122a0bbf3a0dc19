/// Finds where paths begin and end in a text. The names of folders may contain any characters.
///
/// A name goes on after a space, a quote or a bracket when a slash follows that does not begin another path. It ends at a line's end, at a
/// colon or a semicolon with a space, and after what looks like the ending of a file's name.
enum PathEnd {
    private static let slash = UInt8(ascii: "/")

    /// Whether a byte belongs to a plain name: a letter, a digit, `_`, `-` or a byte of a character beyond ASCII.
    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// Whether a path may begin at a slash: there is nothing before it, or a space, a bracket, a quote or a punctuation mark.
    static func mayBegin(_ text: [UInt8], _ at: Int) -> Bool {
        guard at > 0 else { return true }
        let before = text[at - 1]
        switch before {
        case slash: return false
        case UInt8(ascii: ":") where at + 1 < text.count && text[at + 1] == slash:
            // An address with a host; `file:///home` has none.
            return text[..<at].suffix(5).elementsEqual("file:".utf8)
        case UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "]"): return false
        case 0x80...:
            // Quotes and dashes, but not the ellipsis of a path that is hidden already.
            if at >= 3, text[at - 3] == 0xE2, text[at - 2] == 0x80 { return before != 0xA6 }
            return at >= 2 && text[at - 2] == 0xC2
        default: return !isName(before)
        }
    }

    /// The range of the plain name after a slash, or after several.
    static func part(_ text: [UInt8], after begin: Int) -> Range<Int> {
        var start = begin
        while start < text.count, text[start] == slash { start += 1 }
        var end = start
        while end < text.count, isName(text[end]) || text[end] == UInt8(ascii: ".") && end + 1 < text.count && isName(text[end + 1]) {
            end += 1
        }
        return start..<end
    }

    /// The end of a known name at a position; nil when another name is there. Where the text has been shortened, the beginning of the name
    /// is enough.
    static func match(_ name: [UInt8], _ text: [UInt8], at start: Int) -> Int? {
        var count = 0
        while count < name.count, start + count < text.count, text[start + count] == name[count] { count += 1 }
        let end = start + count
        if count == name.count { return isEnd(text, end) ? end : nil }
        let isShortened = end == text.count || text[end] == UInt8(ascii: "\"") || text[end...].starts(with: "…".utf8)
        return count > 2 && isShortened ? end : nil
    }

    /// Whether a name ends before a place.
    private static func isEnd(_ text: [UInt8], _ at: Int) -> Bool {
        // General punctuation, such as the ellipsis.
        guard at < text.count, !text[at...].starts(with: [0xE2, 0x80]) else { return true }
        if text[at] == UInt8(ascii: ".") { return at + 1 == text.count || !isName(text[at + 1]) }
        return !isName(text[at]) || !isName(text[at - 1])
    }

    /// The last slash of a path.
    /// - Parameters:
    ///   - folder: the end of a folder.
    ///   - begin: the path's first slash.
    /// - Returns: the end of the folder where nothing is in it.
    static func lastSlash(_ text: [UInt8], from folder: Int, begin: Int) -> Int {
        guard let folder = slashAfter(text, folder) else { return folder }
        let opening = begin > 0 ? text[begin - 1] : 0
        var (last, at) = (folder, folder + 1)
        while at < text.count {
            let byte = text[at]
            let next = at + 1 < text.count ? text[at + 1] : UInt8(ascii: " ")
            switch byte {
            case slash:
                if isOther(text, at) { return last }
                last = at
            case 0..<0x20: return last
            case UInt8(ascii: ":"), UInt8(ascii: ";"):
                if next == UInt8(ascii: " ") { return last }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if byte == opening, !isName(next), next != slash { return last }
            default: break
            }
            if !isName(byte), byte != UInt8(ascii: "."), byte != slash, hasEnding(text[(last + 1)..<at]) { return last }
            at += 1
        }
        return last
    }

    /// The slash that ends the name of a folder. The name may be longer than the known one: `Hall 2` begins with `Hall`.
    /// - Returns: nil where nothing is in the folder.
    private static func slashAfter(_ text: [UInt8], _ folder: Int) -> Int? {
        for at in folder..<text.count {
            let next = at + 1 < text.count ? text[at + 1] : UInt8(ascii: " ")
            switch text[at] {
            case slash: return at == folder || !isOther(text, at) ? at : nil
            case 0..<0x20: return nil
            case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "\""):
                if next == UInt8(ascii: " ") { return nil }
            default: break
            }
        }
        return nil
    }

    /// Whether another path begins at a slash: there is a space before it, or a sign that seldom ends a name.
    private static func isOther(_ text: [UInt8], _ at: Int) -> Bool {
        let before = text[at - 1]
        switch before {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return at < 2 || !isName(text[at - 2]) && !")]}.!".utf8.contains(text[at - 2])
        case 0x80...: return mayBegin(text, at)
        default: return " ([{<=,:;|".utf8.contains(before)
        }
    }

    /// Whether a name ends as that of a file: in a dot, a letter, and up to four letters or digits.
    private static func hasEnding(_ name: ArraySlice<UInt8>) -> Bool {
        let name = name.last == UInt8(ascii: ".") ? name.dropLast() : name
        guard let dot = name.suffix(6).lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return false }
        let ending = name[(dot + 1)...]
        guard let first = ending.first, (0x41...0x5A).contains(first) || (0x61...0x7A).contains(first) || ending.elementsEqual("7z".utf8)
        else { return false }
        return ending.allSatisfy { $0 < 0x80 && isName($0) }
    }
}
