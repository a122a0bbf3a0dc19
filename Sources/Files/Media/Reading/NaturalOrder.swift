/// Order of names with numbers in them: mic2 before mic10.
enum NaturalOrder {
    /// A number, as its digits without leading zeros, or another single character in lower case.
    enum Piece: Comparable {
        case number(String)
        case letter(Character)

        static func < (a: Piece, b: Piece) -> Bool {
            switch (a, b) {
            // Without leading zeros, the number with more digits is the larger one.
            case (.number(let x), .number(let y)): (x.utf8.count, x) < (y.utf8.count, y)
            case (.letter(let x), .letter(let y)): x < y
            case (.number, .letter): true
            case (.letter, .number): false
            }
        }
    }

    /// Returns whether `a` sorts before `b`. Names that differ only in case or leading zeros are compared as strings.
    static func precedes(_ a: String, _ b: String) -> Bool {
        let (x, y) = (pieces(a), pieces(b))
        return x == y ? a < b : x.lexicographicallyPrecedes(y)
    }

    /// Names in order; each is taken apart once.
    static func sorted(_ names: some Sequence<String>) -> [String] {
        names.map { (pieces($0), $0) }.sorted { one, other in
            one.0 == other.0 ? one.1 < other.1 : one.0.lexicographicallyPrecedes(other.0)
        }.map(\.1)
    }

    static func pieces(_ name: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = name.lowercased()[...]
        while let first = rest.first {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            if digits.isEmpty {
                pieces.append(.letter(first))
                rest.removeFirst()
            } else {
                pieces.append(.number(String(digits.drop { $0 == "0" })))
                rest = rest[digits.endIndex...]
            }
        }
        return pieces
    }
}
