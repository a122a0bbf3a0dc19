internal import Foundation

/// A table of the report.
struct ReportTable {
    private var rows: [String] = []
    private let header: [String]
    private let caption: String

    /// - Parameter header: headers of all columns; the first column has the names of the rows.
    init(_ caption: String, header: [String]) {
        self.caption = caption
        self.header = header
    }

    struct Cell {
        var text: String
        /// Small text below the value.
        var note = ""
        var isBest = false
    }

    /// - Parameter begins: whether the row starts a new group.
    mutating func add(_ name: String, _ cells: [Cell], begins: Bool = false) {
        let columns = cells.map { cell in
            let note = cell.note.isEmpty ? "" : "<small>\(cell.note)</small>"
            return "<td\(cell.isBest ? " class=\"best\"" : "")>\(cell.text)\(note)</td>"
        }
        rows.append("<tr\(begins ? " class=\"first\"" : "")><th scope=\"row\">\(name)</th>\(columns.joined())</tr>")
    }

    var html: String {
        let columns = header.map { "<th scope=\"col\">\($0)</th>" }
        return """
            <p class="note">\(caption)</p>
            <div class="scroll" tabindex="0"><table>
            <thead><tr>\(columns.joined())</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>
            """
    }
}

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
