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

extension JSONText {
    /// Adds a node of the namespace with everything below it.
    mutating func append(_ node: OSCQueryNode) {
        append("{")
        appendAttributesBeforeContents(node)
        if let contents = node.CONTENTS {
            append(key: "CONTENTS") { text in
                text.append("{")
                for (number, (name, child)) in contents.sorted(by: { $0.key < $1.key }).enumerated() {
                    if number > 0 { text.append(",") }
                    text.append(quoting: name)
                    text.append(":")
                    text.append(child)
                }
                text.append("}")
            }
        }
        appendAttributesAfterContents(node)
        append("}")
    }

    mutating func appendAttributesBeforeContents(_ node: OSCQueryNode) {
        append(key: "ACCESS") { $0.append(.int(Int32(node.ACCESS))) }
        if let modes = node.CLIPMODE { append(key: "CLIPMODE") { $0.append(texts: modes) } }
    }

    mutating func appendAttributesAfterContents(_ node: OSCQueryNode) {
        if let isCritical = node.CRITICAL { append(key: "CRITICAL") { $0.append(.bool(isCritical)) } }
        append(key: "DESCRIPTION") { $0.append(quoting: node.DESCRIPTION) }
        if let types = node.EXTENDED_TYPE { append(key: "EXTENDED_TYPE") { $0.append(texts: types) } }
        append(key: "FULL_PATH") { $0.append(quoting: node.FULL_PATH) }
        if let overloads = node.OVERLOADS {
            append(key: "OVERLOADS") { text in
                text.append(listing: overloads) { text, overload in
                    text.append("{")
                    text.append(key: "RANGE") { text in text.append(listing: overload.RANGE) { $0.append($1) } }
                    text.append(key: "TYPE") { $0.append(quoting: overload.TYPE) }
                    text.append("}")
                }
            }
        }
        if let ranges = node.RANGE {
            append(key: "RANGE") { text in
                text.append(listing: ranges) { text, range in
                    if let range { text.append(range) } else { text.append("null") }
                }
            }
        }
        if let tags = node.TAGS { append(key: "TAGS") { $0.append(texts: tags) } }
        if let type = node.TYPE { append(key: "TYPE") { $0.append(quoting: type) } }
        if let units = node.UNIT { append(key: "UNIT") { $0.append(texts: units) } }
        if let values = node.VALUE { append(key: "VALUE") { text in text.append(listing: values) { $0.append($1) } } }
    }

    private mutating func append(_ range: OSCQueryNode.Range) {
        append("{")
        if let most = range.MAX { append(key: "MAX") { $0.append(most) } }
        if let least = range.MIN { append(key: "MIN") { $0.append(least) } }
        if let names = range.VALS { append(key: "VALS") { $0.append(texts: names) } }
        append("}")
    }

    private mutating func append(_ value: OSCQueryNode.JSON) {
        if case .argument(let argument) = value { append(argument) }
    }

    private mutating func append(_ argument: Argument) {
        switch argument {
        case .int(let value): append([UInt8](value.description.utf8))
        case .float(let value): append(value)
        case .double(let value): append(value)
        case .string(let value): append(quoting: value)
        case .bool(let value): append(value ? "true" : "false")
        case .other, .unreadable: append("null")
        }
    }

    private mutating func append(texts: [String]) {
        append(listing: texts) { $0.append(quoting: $1) }
    }
}
