/// Arrangement of the slots as text: `1 (2 3 | 4) 5` is slot 1, then 2 and 3 in a row in parallel with 4, then 5.
///
/// An empty row, as in `( | 4)`, passes the sound unchanged.
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

    /// - Throws: for an invalid character, an unmatched bracket, a slot that occurs twice, or more slots or rows than a rack
    ///   holds.
    public init(_ text: String) throws(RackError) {
        places = []
        var rows: [[Int]]?
        var (slotCount, rowCount) = (0, 0)
        for token in Self.tokens(text) {
            switch token {
            case "(":
                guard rows == nil else { throw Self.error(text, "brackets are nested") }
                rows = [[]]
                rowCount += 1
            case "|":
                guard rows != nil else { throw Self.error(text, "\"|\" is outside of brackets") }
                rows?.append([])
                rowCount += 1
            case ")":
                guard let closed = rows else { throw Self.error(text, "\")\" closes nothing") }
                places.append(.rows(closed))
                rows = nil
            default:
                guard let number = Int(token) else { throw Self.error(text, "\"\(token)\" is not the number of a slot") }
                slotCount += 1
                if let last = rows?.indices.last { rows?[last].append(number) } else { places.append(.slot(number)) }
            }
            guard slotCount <= RackDescription.capacity else {
                throw Self.error(text, "a rack holds at most \(RackDescription.capacity) slots")
            }
            guard rowCount <= RackDescription.mostRows else {
                throw Self.error(text, "a rack holds at most \(RackDescription.mostRows) rows in parallel")
            }
        }
        guard rows == nil else { throw Self.error(text, "\"(\" is not closed") }
        let slots = slots
        if let twice = slots.first(where: { number in slots.count { $0 == number } > 1 }) {
            throw Self.error(text, "slot \(twice) occurs twice")
        }
    }

    private static func error(_ text: String, _ reason: String) -> RackError {
        RackError("layout \"\(text.prefix(200))\": \(reason); a valid layout is \"1 (2 3 | 4) 5\"")
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
