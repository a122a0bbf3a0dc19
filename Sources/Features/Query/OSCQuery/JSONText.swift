internal import Parameters

/// Text of JSON that grows, with keys in the order of their addition.
///
/// The namespace has thousands of nodes, and a general encoder takes about ten microseconds for each: too long for the thread that
/// serves all clients. The output equals, byte for byte, that of `JSONEncoder` with sorted keys for the same values.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ other: [UInt8]) { bytes += other }

    /// Adds a text in quotes.
    mutating func append(quoting text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x20...: bytes.append(byte)
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0A: append("\\n")
            case 0x0C: append("\\f")
            case 0x0D: append("\\r")
            default:
                append("\\u00")
                for digit in [byte >> 4, byte & 15] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds a number; null for one that is not finite.
    mutating func append(_ value: some BinaryFloatingPoint & LosslessStringConvertible) {
        guard value.isFinite else { return append("null") }
        let text = value.description.utf8
        bytes += text.suffix(2).elementsEqual(".0".utf8) ? text.dropLast(2) : text[...]
    }

    /// Adds the values in brackets, with commas between them.
    mutating func append<Value>(listing values: [Value], _ add: (inout JSONText, Value) -> Void) {
        append("[")
        for (number, value) in values.enumerated() {
            if number > 0 { append(",") }
            add(&self, value)
        }
        append("]")
    }

    /// Adds a comma unless an object has just been opened, the key and what follows it.
    mutating func append(key: StaticString, _ add: (inout JSONText) -> Void) {
        if bytes.last != UInt8(ascii: "{") { append(",") }
        append("\"")
        append(key)
        append("\":")
        add(&self)
    }
}
