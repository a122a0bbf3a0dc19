/// Arrangement of the slots as text: `1 (2 3 4) 5` is slot 1, then 2 and 3 in a row in parallel with 4, then 5.
///
/// An empty row, `( 4)`, passes the sound unchanged.
public struct RackLayout: Sendable, Equatable, CustomStringConvertible {
    public enum Place: Sendable, Equatable {
        case slot(Int)
        case rows([[Int]])
    }

    public var places: [Place]

    public init(_ places: [Place]) { self.places = places }

    /// Numbers of all slots in order.
    public var slots: [Int] {
        places.flatMap { place in
            switch place {
            case .slot(let number): [number]
            case .rows(let rows): rows.flatMap(\.self)
            }
        }
    }

    /// - Throws: for an invalid character, an unmatched bracket, or a slot that occurs twice.
    public init(_ text: String) throws(RackError) {
        places = []
        var rows: [[Int]]?
        for token in Self.tokens(text) {
            switch token {
            case "(":
                guard rows == nil else { throw Self.error(text, "one bracket stands inside another") }
                rows = [[]]
            case "|":
                guard rows != nil else { throw Self.error(text, "\"|\" stands outside of brackets") }
                rows?.append([])
            case ")":
                guard let closed = rows else { throw Self.error(text, "\")\" closes nothing") }
                places.append(.rows(closed))
                rows = nil
            default:
                guard let number = Int(token) else { throw Self.error(text, "\"\(token)\" is no slot's number") }
                if let last = rows?.indices.last { rows?[last].append(number) } else { places.append(.slot(number)) }
            }
        }
        guard rows == nil else { throw Self.error(text, "\"(\" is not closed") }
        let slots = slots
        if let twice = slots.first(where: { number in slots.count { $0 == number } > 1 }) {
            throw Self.error(text, "slot \(twice) stands twice")
        }
    }

    private static func error(_ text: String, _ reason: String) -> RackError {
        RackError("layout \"\(text.prefix(200))\": \(reason); \"1 (2 3 | 4) 5\" would be right")
    }

    private static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var word = ""
        for character in text {
            let isMark = "()|".contains(character)
            if isMark || character.isWhitespace || character == "," {
                if !word.isEmpty { tokens.append(word) }
                word = ""
                if isMark { tokens.append(String(character)) }
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? tokens : tokens + [word]
    }

    public var description: String {
        places.map { place in
            switch place {
            case .slot(let number): "\(number)"
            case .rows(let rows):
                "(" + rows.map { $0.map(String.init).joined(separator: " ") }.joined(separator: " | ") + ")"
            }
        }.joined(separator: " ")
    }
}
