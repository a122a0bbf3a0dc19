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
