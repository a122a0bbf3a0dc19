/// The type tags of one message: a letter for each argument, in the order of the arguments.
struct OSCTypeTags {
    /// Without the brackets of arrays: an array counts as the values in it.
    private(set) var letters: [UInt8] = []
    /// Position of the first argument in the message.
    let arguments: Int
    /// Position of the comma.
    private let comma: Int

    /// The types whose values have a length that is known.
    private static let known: StaticString = "ifsSbhtdcrmTFNI"

    /// - Parameter comma: position of the comma before the tags.
    /// - Throws: ``OSCError`` for tags without an end, unknown types, brackets that do not match, and padding other than zeros.
    init(_ bytes: UnsafeRawBufferPointer, at comma: Int) throws(OSCError) {
        self.comma = comma
        guard let end = bytes[comma...].firstIndex(of: 0) else { throw OSCError(.typeTags, at: comma) }
        arguments = (end + 4) & ~3
        var depth = 0
        for letter in bytes[(comma + 1)..<end] {
            switch letter {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case _ where Self.isKnown(letter): letters.append(letter)
            case 0x21..<0x7F: throw OSCError(.unknownType(letter), at: comma)
            default: throw OSCError(.typeTags, at: comma)
            }
            guard depth >= 0 else { throw OSCError(.brackets, at: comma) }
        }
        guard depth == 0 else { throw OSCError(.brackets, at: comma) }
        for i in end..<arguments where bytes[i] != 0 { throw mismatch }
    }

    /// Error for arguments that do not match the tags.
    var mismatch: OSCError { OSCError(.arguments(tags: String(decoding: letters.prefix(32), as: UTF8.self)), at: comma) }

    /// The message with tags that liblo knows: without arrays, and with integers for colours, which are of the same length.
    func plain(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var plain = Array(bytes[...comma])
        plain += letters.map { $0 == UInt8(ascii: "r") ? UInt8(ascii: "i") : $0 }
        plain += repeatElement(0, count: 4 - plain.count % 4)
        return plain + bytes[arguments...]
    }

    private static func isKnown(_ letter: UInt8) -> Bool {
        for i in 0..<known.utf8CodeUnitCount where known.utf8Start[i] == letter { return true }
        return false
    }
}
