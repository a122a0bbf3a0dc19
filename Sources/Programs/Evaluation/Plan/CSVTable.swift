internal import Foundation

/// A CSV table: one header, one line per row, a decimal point in numbers.
public struct CSVTable {
    public private(set) var text: String

    public init(_ header: [String]) { text = header.joined(separator: ",") + "\n" }

    public mutating func add(_ cells: String...) { text += cells.joined(separator: ",") + "\n" }

    /// Formats a number with four decimals; returns an empty string when there is no value.
    public static func number(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        let text = String(format: "%.4f", value)
        return text == "-0.0000" ? "0.0000" : text
    }
}
