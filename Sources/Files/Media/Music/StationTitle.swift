/// Titles that stations announce between their sound (ICY metadata): `StreamTitle='Rain - Slow Song';StreamUrl='…';`.
enum StationTitle {
    /// Characters of a title that are shown.
    private static let longest = 200

    /// The bytes of the title; nil when nothing was announced.
    ///
    /// Quotes and semicolons belong to the title unless the announcement ends there, or another field begins. The title of a truncated
    /// announcement extends to its end.
    static func title(in announcement: [UInt8]) -> [UInt8]? {
        let bytes = announcement.prefix { $0 != 0 }
        guard let start = start(bytes) else { return nil }
        let rest = bytes[start...]
        return Array(rest[..<(rest.indices.first { endsTitle(rest[$0...]) } ?? rest.endIndex)])
    }

    private static func start(_ bytes: ArraySlice<UInt8>) -> Int? {
        let key = Array("streamtitle='".utf8)
        return bytes.indices.first { bytes[$0...].prefix(key.count).elementsEqual(key, by: { lower($0) == $1 }) }.map { $0 + key.count }
    }

    /// Whether the title ends before these bytes.
    private static func endsTitle(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "'") else { return false }
        var rest = bytes.dropFirst()
        let isClosed = rest.first == UInt8(ascii: ";")
        if isClosed { rest = rest.dropFirst() }
        rest = rest.drop { $0 <= 0x20 }
        if rest.isEmpty { return true }
        // The name of another field: letters, digits and low lines, before an equals sign.
        let name = rest.prefix { (0x61...0x7A).contains(lower($0)) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
        guard !name.isEmpty, rest[name.endIndex...].first == UInt8(ascii: "=") else { return false }
        let isStreams = name.prefix(6).map(lower).elementsEqual("stream".utf8)
        return isStreams || (isClosed && rest[name.endIndex...].dropFirst().first == UInt8(ascii: "'"))
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }

    /// A title in words. ICY declares no encoding: stations send UTF-8, or the Windows-1252 of older programs, which contains Latin-1.
    static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        if let text = cutText(bytes) { return text }
        return String(String.UnicodeScalarView(bytes.map(windows1252)))
    }

    /// A text in UTF-8 that was cut within a character. If the only byte above ASCII is the last one, the text is taken for Windows-1252
    /// instead.
    private static func cutText(_ bytes: [UInt8]) -> String? {
        guard let lead = bytes.suffix(3).lastIndex(where: { $0 >= 0xC2 && $0 < 0xF5 }) else { return nil }
        let size = bytes[lead] < 0xE0 ? 2 : bytes[lead] < 0xF0 ? 3 : 4
        let whole = bytes[..<lead]
        guard bytes.count - lead < size, bytes[(lead + 1)...].allSatisfy({ (0x80..<0xC0).contains($0) }) else { return nil }
        guard bytes.count - lead > 1 || whole.contains(where: { $0 >= 0x80 }) else { return nil }
        return String(validating: whole, as: UTF8.self)
    }

    /// The characters of Windows-1252 at 0x80 to 0x9F; those without one are control characters.
    private static let signs: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        (0x80..<0xA0).contains(byte) ? Unicode.Scalar(signs[Int(byte) - 0x80]) ?? "?" : Unicode.Scalar(byte)
    }

    /// A title from outside as a line of at most 200 characters, without control characters and without marks that change the direction of
    /// writing.
    static func line(_ title: String) -> String {
        // Tabs and line breaks separate words.
        let plain = title.unicodeScalars.lazy.map { $0.properties.isWhitespace ? " " : $0 }.filter { !isMark($0) }
        var line = String.UnicodeScalarView(plain.drop { $0 == " " }.prefix(longest))
        while line.last == " " { line.removeLast() }
        return String(line)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200B, 0x200E...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        default: scalar.properties.generalCategory == .control
        }
    }
}
