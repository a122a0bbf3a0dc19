import Parameters

/// A cue of the list, which has one text form:
///
///     NUMBER ["NAME"] [at TIME | at position S] [wait S] [continue S | follow] ACTION
struct Cue: Equatable {
    var number: CueNumber
    /// Empty for none.
    var name = ""
    /// Nil for a cue that is fired by Go and by messages only.
    var trigger: CueTrigger?
    /// Time from firing to the action.
    var preWait = CueTime.zero
    /// Nil for a cue that fires no other.
    var follow: CueFollow?
    var action: CueAction

    private static let longestName = 60

    /// - Throws: `RequestError` with the part that is wrong.
    init(_ text: String) throws {
        var words = try CueWord.words(text)
        guard let number = words.popFirst().flatMap({ CueNumber($0.text) }) else {
            throw RequestError("a cue begins with its number, 0.01 to 9999.99 with at most two decimals")
        }
        self.number = number
        if let word = words.first, word.isQuoted {
            words.removeFirst()
            guard word.text.count <= Self.longestName else { throw RequestError("a cue's name has at most \(Self.longestName) characters") }
            name = word.text
        }
        action = .stop
        try readOptions(&words)
        action = try CueAction(&words)
        if let word = words.first {
            throw RequestError(
                "\"\(word.text.prefix(32))\" after \"\(action)\" is not understood; "
                    + "options (at, wait, continue, follow) come before the action"
            )
        }
        // The stored text may be longer than the one that was sent, because it quotes text arguments.
        let length = description.utf8.count
        guard length <= CueListEntryParameter.longest else {
            throw RequestError("a cue has at most \(CueListEntryParameter.longest) bytes, this one has \(length) as stored")
        }
    }

    private mutating func readOptions(_ words: inout ArraySlice<CueWord>) throws {
        while let word = words.first {
            switch word.text {
            case "at":
                words.removeFirst()
                trigger = try CueTrigger(&words)
            case "wait":
                words.removeFirst()
                preWait = try Self.seconds(&words, word.text)
            case "continue":
                words.removeFirst()
                follow = .continues(try Self.seconds(&words, word.text))
            case "follow":
                words.removeFirst()
                follow = .follows
            default: return
            }
        }
    }

    private static func seconds(_ words: inout ArraySlice<CueWord>, _ name: String) throws -> CueTime {
        guard let time = words.popFirst().flatMap({ CueTime($0.text) }) else {
            throw RequestError("\"\(name)\" needs a time of 0 to 86400 seconds, with at most three decimals")
        }
        return time
    }

    /// Number and name.
    var title: String { name.isEmpty ? "\(number)" : "\(number) \(name)" }
}

extension Cue: CustomStringConvertible {
    /// Canonical: parts with their initial value are left out.
    var description: String {
        var words = ["\(number)"]
        if !name.isEmpty { words.append(CueWord.quoted(name)) }
        if let trigger { words.append("\(trigger)") }
        if preWait != .zero { words.append("wait \(preWait)") }
        if let follow { words.append("\(follow)") }
        words.append("\(action)")
        return words.joined(separator: " ")
    }
}

/// The moment at which a cue fires by itself.
enum CueTrigger: Hashable, CustomStringConvertible {
    /// Once a day.
    case time(TimeOfDay)
    /// Whenever the recording passes a position while it plays.
    case position(CueTime)

    /// - Parameter words: the words after `at`.
    /// - Throws: `RequestError`.
    init(_ words: inout ArraySlice<CueWord>) throws {
        let word = words.popFirst()?.text ?? ""
        if word == "position" {
            guard let place = words.popFirst().flatMap({ CueTime($0.text) }) else {
                throw RequestError("\"at position\" needs a position of 0 to 86400 seconds in the recording")
            }
            self = .position(place)
        } else if let time = TimeOfDay(word) {
            self = .time(time)
        } else {
            throw RequestError("\"at\" needs a time of day, HH:MM or HH:MM:SS, or \"position\" and seconds")
        }
    }

    var description: String {
        switch self {
        case .time(let time): "at \(time)"
        case .position(let place): "at position \(place)"
        }
    }
}

/// The moment at which a cue fires the next one.
enum CueFollow: Hashable, CustomStringConvertible {
    /// Auto-continue: a time after the action has begun.
    case continues(CueTime)
    /// Auto-follow: when the action has ended.
    case follows

    var description: String {
        switch self {
        case .continues(let time): "continue \(time)"
        case .follows: "follow"
        }
    }
}

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
