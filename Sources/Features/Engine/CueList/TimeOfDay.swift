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
