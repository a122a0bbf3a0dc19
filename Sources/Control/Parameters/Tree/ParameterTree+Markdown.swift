extension ParameterTree {
    /// The table of `protocol/parameters.md`; a test keeps file and code equal.
    public var markdown: String {
        Self.tableHead + listed.map { Self.row($0.address, $0.spec) }.joined()
    }

    /// Every parameter once: numbered containers with the same parameters, such as groups, appear once, with `{n}` as their number.
    public var listed: [(address: String, spec: ParameterSpec)] {
        let addresses = Set(nodes.map(\.address))
        return nodes.compactMap { node in
            var parts = node.address.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard let place = parts.firstIndex(where: { Int($0) != nil }) else { return (node.address, node.spec) }
            guard parts[place] == "1" else { return nil }
            parts[place] = "2"
            guard addresses.contains(parts.joined(separator: "/")) else { return (node.address, node.spec) }
            parts[place] = "{n}"
            return (parts.joined(separator: "/"), node.spec)
        }
    }

    package static let tableHead =
        "| address | type | title | range | initial | unit | access | smoothing | kept by |\n"
        + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"

    private static func rangeText(_ range: ClosedRange<Float>) -> String {
        let least = plain(range.lowerBound)
        return range.upperBound >= Float(Int32.max) ? "at least \(least)" : "\(least) to \(plain(range.upperBound))"
    }

    private static func initialText(_ number: Float, _ spec: ParameterSpec) -> String {
        switch spec.kind {
        case .choice(let names): names.indices.contains(Int(clamping: number)) ? names[Int(clamping: number)] : ""
        case .toggle: number == 0 ? "false" : "true"
        default: plain(number)
        }
    }

    private static func plain(_ number: Float) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    package static func row(_ address: String, _ spec: ParameterSpec) -> String {
        let range =
            switch spec.kind {
            case .choice(let names): names.joined(separator: ", ")
            case .impulse, .toggle: ""
            case .text: spec.access == .read ? "" : "at most \(spec.longestText) bytes"
            default:
                rangeText(spec.range) + (spec.isCircular ? ", circular" : "")
                    + (spec.kind == .list && spec.access != .read ? ", at most \(spec.mostNumbers) numbers" : "")
            }
        let initial = spec.initial.numbers.map { initialText($0, spec) }.joined(separator: " ")
        // A bar would end the cell.
        let words = "\(spec.title): \(spec.summary)".map { $0 == "|" ? "\\|" : String($0) }.joined()
        let columns = [
            "`\(address)`", spec.oscType, words, range, initial, spec.unit.rawValue, "\(spec.access)",
            spec.smoothing.description, spec.keeping.rawValue,
        ]
        return "| " + columns.joined(separator: " | ") + " |\n"
    }
}
