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
