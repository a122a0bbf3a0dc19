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

/// A duration, or a place in a recording: 0 to 86,400 seconds in steps of a millisecond.
struct CueTime: Hashable, CustomStringConvertible {
    let milliseconds: Int

    static let zero = CueTime(milliseconds: 0)
    private static let longest = 86_400_000

    private init(milliseconds: Int) { self.milliseconds = milliseconds }

    /// - Parameter longest: in milliseconds.
    /// - Returns: nil for any other text.
    init?(_ text: some StringProtocol, longest: Int = longest) {
        guard let milliseconds = DecimalText.units(text, decimals: 3), milliseconds <= longest else { return nil }
        self.milliseconds = milliseconds
    }

    var nanoseconds: UInt64 { UInt64(clamping: milliseconds) * 1_000_000 }

    var seconds: Double { Double(milliseconds) / 1000 }

    /// Seconds.
    var description: String { DecimalText.text(milliseconds, decimals: 3) }
}

/// A time of day on the clock of the engine's computer.
struct TimeOfDay: Hashable, CustomStringConvertible {
    /// Seconds since midnight, 0 to 86,399.
    let second: Int

    /// - Parameter text: `HH:MM` or `HH:MM:SS`.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...2).contains(part.utf8.count), let number = DecimalText.units(part, decimals: 0) else { return nil }
            numbers.append(number)
        }
        guard numbers[0] < 24, numbers[1] < 60, numbers.count == 2 || numbers[2] < 60 else { return nil }
        second = 3600 * numbers[0] + 60 * numbers[1] + (numbers.count == 3 ? numbers[2] : 0)
    }

    var description: String {
        [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

/// Decimal numbers without a sign, kept as whole multiples of their last decimal, so that texts and numbers match exactly.
enum DecimalText {
    /// Maximum number of digits before the point.
    private static let mostDigits = 6

    /// The number in units of its last decimal; nil for anything but digits with at most one point.
    static func units(_ text: some StringProtocol, decimals: Int) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), (1...mostDigits).contains(parts[0].utf8.count), isDigits(parts[0]) else { return nil }
        let fraction = parts.count == 2 ? String(parts[1]) : ""
        guard fraction.utf8.count <= decimals, isDigits(fraction), parts.count == 1 || !fraction.isEmpty else { return nil }
        return Int(parts[0] + fraction + String(repeating: "0", count: decimals - fraction.utf8.count))
    }

    /// The shortest text.
    static func text(_ units: Int, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in 10 * scale }
        let rest = String(units % scale)
        var fraction = String(repeating: "0", count: decimals - rest.count) + rest
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(units / scale)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    private static func isDigits(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
