/// An HTML page with placeholders, a part of the Mustache language: `{{name}}` is replaced by an escaped text, and the part
/// between `{{#name}}` and `{{/name}}` is repeated for every entry of a list.
package struct PageTemplate {
    /// A value of a placeholder.
    package enum Value {
        case text(String)
        case list([[String: Value]])
    }

    private let source: String

    init(_ source: String) { self.source = source }

    /// The page as a response, with its placeholders replaced.
    package func response(_ values: [String: Value]) -> Response {
        Response(
            status: 200, headers: [("content-type:", "text/html; charset=utf-8")],
            body: .bytes(Array(fill(values).utf8)))
    }

    /// Placeholders without a value disappear.
    func fill(_ values: [String: Value]) -> String { Self.fill(source[...], values) }

    private static func fill(_ source: Substring, _ values: [String: Value]) -> String {
        var (page, rest) = ("", source)
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            page += rest[..<open.lowerBound]
            let name = String(rest[open.upperBound..<close.lowerBound])
            rest = rest[close.upperBound...]
            guard name.hasPrefix("#") else {
                if case .text(let text)? = values[name] { page += escape(text) }
                continue
            }
            let list = String(name.dropFirst())
            guard let end = rest.firstRange(of: "{{/\(list)}}") else { break }
            if case .list(let entries)? = values[list] {
                // Entries inherit the values around them.
                for entry in entries {
                    page += fill(rest[..<end.lowerBound], values.merging(entry) { $1 })
                }
            }
            rest = rest[end.upperBound...]
        }
        return page + rest
    }

    private static func escape(_ text: String) -> String {
        text.reduce(into: "") { escaped, letter in
            switch letter {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.append(letter)
            }
        }
    }
}
