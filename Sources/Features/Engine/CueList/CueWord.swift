/// A word of a cue's text. In double quotes it may contain spaces; `\"` and `\\` stand for a quote and a backslash.
struct CueWord: Equatable {
    let text: String
    let isQuoted: Bool

    /// - Throws: `RequestError` for a quote that does not end, and for control characters.
    static func words(_ text: String) throws -> ArraySlice<CueWord> {
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw RequestError("a cue is one line without control characters")
        }
        var (words, rest) = ([CueWord](), text.drop { $0 == " " })
        while let first = rest.first {
            if first == "\"" {
                words.append(CueWord(text: try quoted(&rest), isQuoted: true))
            } else {
                let word = rest.prefix { $0 != " " }
                words.append(CueWord(text: String(word), isQuoted: false))
                rest = rest.dropFirst(word.count)
            }
            rest = rest.drop { $0 == " " }
        }
        return words[...]
    }

    private static func quoted(_ rest: inout Substring) throws -> String {
        var text = ""
        rest.removeFirst()
        while let letter = rest.popFirst() {
            if letter == "\"" { return text }
            if letter == "\\", let escaped = rest.popFirst() { text.append(escaped) } else { text.append(letter) }
        }
        throw RequestError("a quote (\") in the cue does not end; write \\\" for one inside a text")
    }

    static func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }

    /// A name as a word, in quotes if it needs them.
    static func name(_ text: String) -> String {
        text.isEmpty || text.contains { $0 == " " || $0 == "\"" || $0 == "\\" } ? quoted(text) : text
    }
}
