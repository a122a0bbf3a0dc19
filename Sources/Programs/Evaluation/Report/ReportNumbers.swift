internal import Foundation

/// Formatting of figures.
enum ReportNumbers {
    /// Formats with two decimals; a dash for no value.
    static func level(_ value: Double?) -> String { text(value, "%.2f") }

    /// Formats with one decimal.
    static func tenth(_ value: Double?) -> String { text(value, "%.1f") }

    /// Formats without decimals.
    static func whole(_ value: Double?) -> String { text(value, "%.0f") }

    /// Formats Hz as kHz with two decimals.
    static func kilohertz(_ hertz: Double?) -> String { text(hertz.map { $0 / 1000 }, "%.2f") }

    private static func text(_ value: Double?, _ format: String) -> String {
        guard let value, value.isFinite else { return "\u{2013}" }
        let digits = String(format: format, abs(value))
        let isZero = digits.allSatisfy { $0 == "0" || $0 == "." }
        return (value < 0 && !isZero ? "\u{2212}" : "") + digits
    }
}
