internal import Foundation

/// A table of figures, to be read by other programs: one header, one line per row, a dot in numbers.
public struct CSVTable {
    public private(set) var text: String

    public init(_ header: [String]) { text = header.joined(separator: ",") + "\n" }

    public mutating func add(_ cells: String...) { text += cells.joined(separator: ",") + "\n" }

    /// Four decimals; empty when there is no figure.
    public static func number(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        let text = String(format: "%.4f", value)
        return text == "-0.0000" ? "0.0000" : text
    }
}
