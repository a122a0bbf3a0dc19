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
