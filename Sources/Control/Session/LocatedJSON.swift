internal import Files
internal import Rack

/// A JSON document that records the line of every value.
package struct LocatedJSON: Sendable {
    package indirect enum Value: Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case text(String)
        case array([LocatedJSON])
        /// In the order of the file; a name may occur twice.
        case object([(name: String, line: Int, value: LocatedJSON)])
    }

    package let line: Int
    package let value: Value

    /// A place where a document is not JSON, and the reason.
    package struct Fault: Error {
        package let line: Int
        package let reason: String
    }

    init(line: Int, value: Value) {
        self.line = line
        self.value = value
    }

    /// - Parameter text: may begin with a byte order mark.
    package init(_ text: String) throws(Fault) {
        var parser = Parser(bytes: ByteOrderMark.removed(from: Array(text.utf8)))
        self = try parser.document()
    }

    private struct Parser {
        let bytes: [UInt8]
        var at = 0
        var line = 1
        var depth = 0
        var count = 0
        /// Maximum number of values in a document: each takes about a hundred bytes of memory.
        static let most = 1_000_000

        mutating func document() throws(Fault) -> LocatedJSON {
            let value = try value()
            skipSpace()
            guard at == bytes.count else { throw fault("there is text after the end of the document") }
            return value
        }

        func fault(_ reason: String) -> Fault { Fault(line: line, reason: reason) }

        mutating func skipSpace() {
            while at < bytes.count, Self.isSpace(bytes[at]) {
                if bytes[at] == 10 { line += 1 }
                at += 1
            }
        }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 || byte == 10 }

        private static func endsWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"),
                UInt8(ascii: "\""):
                true
            default: isSpace(byte)
            }
        }

        mutating func take(_ character: Character) -> Bool {
            skipSpace()
            guard at < bytes.count, bytes[at] == character.asciiValue else { return false }
            at += 1
            return true
        }

        mutating func value() throws(Fault) -> LocatedJSON {
            skipSpace()
            guard at < bytes.count else { throw fault("the document ends too early") }
            depth += 1
            defer { depth -= 1 }
            guard depth < 64 else { throw fault("brackets are nested too deeply") }
            count += 1
            guard count <= Self.most else { throw fault("there are more than \(Self.most) values") }
            let start = line
            switch bytes[at] {
            case UInt8(ascii: "{"): return LocatedJSON(line: start, value: .object(try object()))
            case UInt8(ascii: "["): return LocatedJSON(line: start, value: .array(try array()))
            case UInt8(ascii: "\""): return LocatedJSON(line: start, value: .text(try text()))
            default: return LocatedJSON(line: start, value: try word())
            }
        }

        mutating func object() throws(Fault) -> [(name: String, line: Int, value: LocatedJSON)] {
            at += 1
            var members: [(name: String, line: Int, value: LocatedJSON)] = []
            if take("}") { return members }
            repeat {
                skipSpace()
                guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { throw fault("a name in quotes is missing") }
                let start = line
                let name = try text()
                guard take(":") else { throw fault("a colon is missing after \"\(name)\"") }
                members.append((name, start, try value()))
            } while take(",")
            guard take("}") else { throw fault("a comma or } is missing") }
            return members
        }

        mutating func array() throws(Fault) -> [LocatedJSON] {
            at += 1
            var values: [LocatedJSON] = []
            if take("]") { return values }
            repeat { values.append(try value()) } while take(",")
            guard take("]") else { throw fault("a comma or ] is missing") }
            return values
        }

        mutating func text() throws(Fault) -> String {
            at += 1
            var result: [UInt8] = []
            while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
                guard bytes[at] >= 32 else { throw fault("a text is not closed") }
                if bytes[at] == UInt8(ascii: "\\") {
                    result += try escaped()
                } else {
                    result.append(bytes[at])
                    at += 1
                }
            }
            guard at < bytes.count else { throw fault("a text is not closed") }
            at += 1
            return String(decoding: result, as: UTF8.self)
        }

        mutating func escaped() throws(Fault) -> [UInt8] {
            at += 1
            guard at < bytes.count else { throw fault("a text is not closed") }
            defer { at += 1 }
            switch bytes[at] {
            case UInt8(ascii: "n"): return [10]
            case UInt8(ascii: "t"): return [9]
            case UInt8(ascii: "r"): return [13]
            case UInt8(ascii: "b"): return [8]
            case UInt8(ascii: "f"): return [12]
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [bytes[at]]
            case UInt8(ascii: "u"):
                let first = hexadecimal(at + 1)
                at += 4
                if let first, let scalar = Unicode.Scalar(first) { return Array(String(Character(scalar)).utf8) }
                // Characters beyond 16 bits are written as a surrogate pair.
                if let first, (0xD800..<0xDC00).contains(first), at + 2 < bytes.count, bytes[at + 1] == UInt8(ascii: "\\"),
                    bytes[at + 2] == UInt8(ascii: "u"), let second = hexadecimal(at + 3), (0xDC00..<0xE000).contains(second),
                    let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + second - 0xDC00)
                {
                    at += 6
                    return Array(String(Character(scalar)).utf8)
                }
                throw fault("\\u is not followed by four hexadecimal digits of a character")
            default: throw fault("there is no escape \\\(Character(Unicode.Scalar(bytes[at])))")
            }
        }

        func hexadecimal(_ start: Int) -> UInt32? {
            guard start + 3 < bytes.count, bytes[start] != UInt8(ascii: "+") else { return nil }
            return UInt32(String(decoding: bytes[start...start + 3], as: UTF8.self), radix: 16)
        }

        mutating func word() throws(Fault) -> Value {
            let start = at
            while at < bytes.count, !Self.endsWord(bytes[at]) { at += 1 }
            let word = String(decoding: bytes[start..<at], as: UTF8.self)
            switch word {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "null": return .null
            default:
                guard let number = Double(word), number.isFinite, word.first != "+", word.first != "." else {
                    let shown = String(
                        word.prefix(40).map { $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } ? $0 : "?" })
                    throw fault("\"\(shown)\" is neither a number, nor true, false or null")
                }
                return .number(number)
            }
        }
    }
}

extension LocatedJSON {
    /// The value without lines. If a name occurs twice, the last member wins.
    var plain: JSON {
        switch value {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        case .array(let values): .array(values.map(\.plain))
        case .object(let members):
            .object(Dictionary(members.map { ($0.name, $0.value.plain) }) { _, last in last })
        }
    }
}
