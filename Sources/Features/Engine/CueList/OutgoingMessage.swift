package import Parameters

/// An OSC message that a cue sends to another program.
package struct OutgoingMessage: Equatable, Sendable {
    package let destination: OSCDestination
    package let address: String
    package let arguments: [Argument]

    private static let mostArguments = 16
    private static let longestAddress = 256

    /// - Parameter words: all words after `osc`.
    /// - Throws: `RequestError`.
    init(_ words: inout ArraySlice<CueWord>) throws {
        guard let destination = words.popFirst().flatMap({ OSCDestination($0.text) }) else {
            throw RequestError("\"osc\" needs HOST:PORT, for example 127.0.0.1:9001, lights.local:8000 or [::1]:9001")
        }
        guard let address = words.popFirst()?.text, Self.isAddress(address) else {
            throw RequestError(
                "after HOST:PORT, \"osc\" needs an OSC address: a slash and printable characters without spaces, "
                    + "at most \(Self.longestAddress)")
        }
        guard words.count <= Self.mostArguments else {
            throw RequestError("an OSC message of a cue has at most \(Self.mostArguments) arguments, not \(words.count)")
        }
        self.destination = destination
        self.address = address
        arguments = words.map(Self.argument)
        words = []
    }

    private static func isAddress(_ text: String) -> Bool {
        text.utf8.count <= longestAddress && text.first == "/" && text.utf8.count > 1
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
    }

    /// Integers, numbers with a point, true and false are recognised by their form; every other word, and one in quotes, is a text.
    private static func argument(_ word: CueWord) -> Argument {
        if word.isQuoted { return .string(word.text) }
        if word.text == "true" || word.text == "false" { return .bool(word.text == "true") }
        if let number = Int32(word.text) { return .int(number) }
        let isNumber = word.text.utf8.allSatisfy { "0123456789.+-eE".utf8.contains($0) }
        if isNumber, let number = Float(word.text), number.isFinite { return .float(number) }
        return .string(word.text)
    }

    private static func word(_ argument: Argument) -> String {
        switch argument {
        case .int(let number): "\(number)"
        case .float(let number): "\(number)"
        case .double(let number): "\(Float(number))"
        case .bool(let isTrue): "\(isTrue)"
        case .string(let text): CueWord.quoted(text)
        case .other, .unreadable: "\"\""
        }
    }
}

extension OutgoingMessage: CustomStringConvertible {
    package var description: String { (["\(destination)", address] + arguments.map(Self.word)).joined(separator: " ") }
}

/// A host and a UDP port that OSC messages are sent to.
package struct OSCDestination: Hashable, Sendable, CustomStringConvertible {
    /// A numeric address, or a name.
    package let host: String
    package let port: UInt16

    private static let longestHost = 253

    /// - Parameter text: `HOST:PORT`; a numeric IPv6 address is in brackets.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let number = DecimalText.units(text[text.index(after: colon)...], decimals: 0),
            let port = UInt16(exactly: number), port > 0
        else { return nil }
        var host = text[..<colon]
        let isBracketed = host.first == "[" && host.last == "]"
        if isBracketed { host = host.dropFirst().dropLast() }
        let allowed = isBracketed ? Self.numeric : Self.name
        guard (1...Self.longestHost).contains(host.utf8.count), host.utf8.allSatisfy({ allowed.contains($0) }) else { return nil }
        // No host name begins with a hyphen.
        guard host.first != "-" else { return nil }
        self.host = String(host)
        self.port = port
    }

    private static let name = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_".utf8)
    private static let numeric = Set("abcdefABCDEF0123456789.:".utf8)

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
