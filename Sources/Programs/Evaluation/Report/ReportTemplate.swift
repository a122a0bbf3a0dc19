/// The page of the report with placeholders, from `web/report`: `{{name}}` stands for a value; `{{#name}}` and `{{/name}}` enclose a part
/// that not every report has.
public struct ReportTemplate: Sendable {
    private let page: String
    private let style: String

    /// - Parameters:
    ///   - page: the text of `report.html`.
    ///   - style: that of `report.css`.
    public init(page: String, style: String) { (self.page, self.style) = (page, style) }

    /// The page with its values. Unknown placeholders stay.
    ///
    /// - Parameter parts: names of the optional parts that the page has, each with whether this report has it.
    func filled(_ values: [String: String], parts: [String: Bool]) -> String {
        var text = page
        for (name, isThere) in parts {
            guard let begin = Self.find("{{#\(name)}}\n", in: text), let end = Self.find("{{/\(name)}}\n", in: text),
                begin.upperBound <= end.lowerBound
            else { continue }
            text.replaceSubrange(begin.lowerBound..<end.upperBound, with: isThere ? text[begin.upperBound..<end.lowerBound] : "")
        }
        var result = ""
        var rest = text[...]
        while let open = Self.find("{{", in: rest), let close = Self.find("}}", in: rest[open.upperBound...]) {
            let name = String(rest[open.upperBound..<close.lowerBound])
            let value = name == "style" ? style : values[name]
            result += rest[..<open.lowerBound] + (value ?? "{{\(name)}}")
            rest = rest[close.upperBound...]
        }
        return result + rest
    }

    private static func find(_ word: String, in text: some StringProtocol) -> Range<String.Index>? {
        text.firstRange(of: word)
    }
}
