/// Text of a log line or a notice as it may be shown on a terminal: one line of limited length without control characters.
public enum LogText {
    /// Bytes that are kept of a longer text.
    public static let longest = 1000

    /// Shortens a text and writes control characters as escapes: `\n`, `\x1B`, `\u{202E}`.
    ///
    /// Also escaped are the Unicode characters that reorder or break lines, or that are not seen. A text that needs no change is returned
    /// as it is.
    public static func line(_ text: String) -> String {
        let count = text.utf8.count
        if count <= longest, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var line = ""
        var size = 0
        for scalar in text.unicodeScalars {
            let part = escape(scalar)
            size += part?.utf8.count ?? UTF8.width(scalar)
            guard size <= longest else { return line + "… (\(count) bytes)" }
            if let part { line += part } else { line.unicodeScalars.append(scalar) }
        }
        return line
    }

    /// Writes the same characters as escapes in a text of any length, such as a name shown on a terminal.
    public static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { line, scalar in
            if let part = escape(scalar) { line += part } else { line.unicodeScalars.append(scalar) }
        }
    }

    /// Returns nil for a character that is written as it is.
    private static func escape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        case 0x09: "\\t"
        case 0..<0x20, 0x7F..<0xA0: "\\x" + hexadecimal(scalar.value, digits: 2)
        case 0x2028...0x2029, 0x2060...0x206F: unicode(scalar)
        case 0xA0...: scalar.properties.generalCategory == .format ? unicode(scalar) : nil
        default: nil
        }
    }

    private static func unicode(_ scalar: Unicode.Scalar) -> String { "\\u{" + hexadecimal(scalar.value, digits: 4) + "}" }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
