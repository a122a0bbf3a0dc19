/// Number of a cue: 0.01 to 9999.99 in steps of 0.01. Cues are sorted by their numbers.
struct CueNumber: Hashable, Comparable, CustomStringConvertible {
    /// 1 to 999,999.
    let hundredths: Int

    private static let range = 1...999_999

    /// - Returns: nil for any other text.
    init?(_ text: some StringProtocol) {
        guard let hundredths = DecimalText.units(text, decimals: 2), Self.range.contains(hundredths) else { return nil }
        self.hundredths = hundredths
    }

    /// The valid number nearest to the one that a client sent.
    init(_ number: Float) {
        hundredths = min(max(Int(clamping: (number * 100).rounded()), Self.range.lowerBound), Self.range.upperBound)
    }

    static func < (one: Self, other: Self) -> Bool { one.hundredths < other.hundredths }

    var description: String { DecimalText.text(hundredths, decimals: 2) }
}
