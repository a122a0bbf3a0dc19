public import Foundation

/// The two forms in which the program writes JSON. Both have sorted keys, so that equal values are equal bytes.
extension JSONEncoder {
    /// In one line, for clients.
    public static var wire: JSONEncoder { form([]) }

    /// In lines, for files and texts that people read.
    public static var file: JSONEncoder { form(.prettyPrinted) }

    private static func form(_ further: OutputFormatting) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, further]
        return encoder
    }
}

/// The texts in a JSON document, as bytes.
enum JSONLiterals {
    private static let (quote, backslash, slash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"))

    /// Whether a text begins and ends as an object or an array does.
    static func mayBeJSON(_ bytes: [UInt8]) -> Bool {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
        guard let first = bytes.first(where: { !isBlank($0) }), let last = bytes.last(where: { !isBlank($0) }) else { return false }
        return first == UInt8(ascii: "{") && last == UInt8(ascii: "}") || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
    }

    /// Returns the document with its texts replaced; `body` is called only for texts that contain a slash.
    /// - Parameter body: returns the replacement of a text; nil keeps it.
    /// - Returns: nil for a document that is visibly not JSON.
    static func replaced(in bytes: [UInt8], _ body: ([UInt8]) -> [UInt8]?) -> [UInt8]? {
        var result: [UInt8] = []
        var (copied, at) = (0, 0)
        while at < bytes.count {
            guard bytes[at] == quote else {
                if bytes[at] == slash { return nil }
                at += 1
                continue
            }
            var (end, hasSlash, hasEscape) = (at + 1, false, false)
            while end < bytes.count, bytes[end] != quote {
                if bytes[end] == slash { hasSlash = true }
                if bytes[end] == backslash {
                    hasEscape = true
                    end += 1
                }
                end += 1
            }
            guard end < bytes.count else { return nil }
            if hasSlash || hasEscape {
                let text = hasEscape ? decoded(bytes[(at + 1)..<end]) : Array(bytes[(at + 1)..<end])
                if text.contains(slash), let other = body(text) {
                    result += bytes[copied...at]
                    append(other, to: &result)
                    copied = end
                }
            }
            at = end + 1
        }
        return copied == 0 ? bytes : result + bytes[copied...]
    }

    /// The bytes of a text with its escapes decoded; invalid ones stay.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var at = text.startIndex
        while at < text.endIndex {
            guard text[at] == backslash, at + 1 < text.endIndex else {
                bytes.append(text[at])
                at += 1
                continue
            }
            switch text[at + 1] {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "u"):
                guard let (scalar, count) = scalar(text[at...]) else { fallthrough }
                bytes += Array(String(scalar).utf8)
                at += count
                continue
            default: bytes.append(text[at + 1])
            }
            at += 2
        }
        return bytes
    }

    /// The character of `\uXXXX`, or of two of them, and their length.
    private static func scalar(_ text: ArraySlice<UInt8>) -> (Character, Int)? {
        func unit(_ offset: Int) -> UInt16? {
            let part = text.dropFirst(offset).prefix(6)
            guard part.count == 6, part.first == backslash, part.dropFirst().first == UInt8(ascii: "u") else { return nil }
            return UInt16(String(decoding: part.dropFirst(2), as: UTF8.self), radix: 16)
        }
        guard let first = unit(0) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (Character(scalar), 6) }
        guard let second = unit(6), first < 0xDC00, (0xDC00...0xDFFF).contains(second) else { return ("\u{FFFD}", 6) }
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(second) - 0xDC00
        return Unicode.Scalar(value).map { (Character($0), 12) }
    }

    /// Adds a text with the escapes that it needs.
    private static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
        for byte in text {
            switch byte {
            case quote, backslash: bytes += [backslash, byte]
            case 0x0A: bytes += Array("\\n".utf8)
            case 0..<0x20: bytes += Array((byte < 16 ? "\\u000" : "\\u00").utf8) + Array(String(byte, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
    }
}
