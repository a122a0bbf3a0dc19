internal import CLiblo
internal import Glibc
public import Hub
internal import MIDI
internal import Parameters

extension OSCPacket {
    /// Parses one message, not a bundle. Adds a missing leading slash; missing type tags mean no arguments.
    ///
    /// - Parameter receiveTime: CLOCK_MONOTONIC nanoseconds, copied to the message.
    /// - Throws: ``OSCError``.
    public static func message(_ bytes: UnsafeRawBufferPointer, receiveTime: UInt64) throws(OSCError) -> Message {
        guard !bytes.isEmpty else { throw OSCError(.empty, at: 0) }
        guard bytes.count % 4 == 0 else { throw OSCError(.length(bytes.count), at: 0) }
        let end = try addressEnd(bytes)
        var address = String(decoding: bytes[..<end], as: UTF8.self)
        if !address.hasPrefix("/") { address = "/" + address }
        let tags = (end + 4) & ~3
        guard tags < bytes.count else {
            return Message(address: address, arguments: [], receiveTime: receiveTime)
        }
        guard bytes[tags] == UInt8(ascii: ",") else { throw OSCError(.typeTags, at: tags) }
        let arguments = if let plain = plainArguments(bytes, tags) { plain } else { try arguments(bytes, tags) }
        return Message(address: address, arguments: arguments, receiveTime: receiveTime)
    }

    /// Returns the end of the address, after checking its characters and its padding to a multiple of 4 bytes.
    private static func addressEnd(_ bytes: UnsafeRawBufferPointer) throws(OSCError) -> Int {
        guard let end = bytes.firstIndex(of: 0) else { throw OSCError(.unterminatedAddress, at: bytes.count) }
        guard end > 0 else { throw OSCError(.emptyAddress, at: 0) }
        for i in 0..<end where bytes[i] <= 0x20 || bytes[i] >= 0x7F { throw OSCError(.addressByte(bytes[i]), at: i) }
        for i in end..<((end + 4) & ~3) where bytes[i] != 0 { throw OSCError(.addressPadding, at: i) }
        return end
    }

    /// Fast path for messages of numbers and Booleans only, which arrive thousands of times per second; nil for other
    /// types and for a wrong length.
    private static func plainArguments(_ bytes: UnsafeRawBufferPointer, _ tags: Int) -> [Argument]? {
        var end = tags + 1
        var size = 0
        while end < bytes.count, bytes[end] != 0 {
            switch bytes[end] {
            case UInt8(ascii: "f"), UInt8(ascii: "i"): size += 4
            case UInt8(ascii: "T"), UInt8(ascii: "F"): break
            default: return nil
            }
            end += 1
        }
        let begin = (end + 4) & ~3
        guard begin + size == bytes.count else { return nil }
        for i in end..<begin where bytes[i] != 0 { return nil }
        var at = begin
        return (tags + 1..<end).map { tag in
            switch bytes[tag] {
            case UInt8(ascii: "T"): return .bool(true)
            case UInt8(ascii: "F"): return .bool(false)
            default:
                let word = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
                at += 4
                return bytes[tag] == UInt8(ascii: "f") ? .float(Float(bitPattern: word)) : .int(Int32(bitPattern: word))
            }
        }
    }

    /// Returns the position of the zero that ends the address; nil when there is none.
    static func end(of bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress, let zero = memchr(base, 0, bytes.count) else { return nil }
        return UnsafeRawPointer(zero) - base
    }

    /// Returns whether a message has arguments; one without is a query.
    static func hasArguments(_ bytes: UnsafeRawBufferPointer, behind end: Int) -> Bool {
        let tags = (end + 4) & ~3
        return tags + 1 < bytes.count && bytes[tags + 1] != 0
    }

    /// Reads a message of one number or Boolean, the most common kind, without checking its address.
    ///
    /// - Returns: the length of the padded address in bytes, and the number; nil for every other message.
    static func soleNumber(_ bytes: UnsafeRawBufferPointer) -> (address: Int, number: Float)? {
        guard let end = end(of: bytes) else { return nil }
        let tags = (end + 4) & ~3
        let size = bytes.count - tags - 4
        guard size == 0 || size == 4, bytes[tags] == UInt8(ascii: ","), bytes[tags + 2] == 0, bytes[tags + 3] == 0 else { return nil }
        switch (bytes[tags + 1], size) {
        case (UInt8(ascii: "T"), 0): return (tags, 1)
        case (UInt8(ascii: "F"), 0): return (tags, 0)
        case (UInt8(ascii: "f"), 4): return (tags, Float(bitPattern: word(bytes, tags + 4)))
        case (UInt8(ascii: "i"), 4): return (tags, Float(Int32(bitPattern: word(bytes, tags + 4))))
        default: return nil
        }
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
    }

    /// The arguments of a message of any type. Arrays are flattened.
    private static func arguments(_ bytes: UnsafeRawBufferPointer, _ comma: Int) throws(OSCError) -> [Argument] {
        let tags = try OSCTypeTags(bytes, at: comma)
        guard !tags.letters.isEmpty || tags.arguments < bytes.count else { return [] }
        let plain = tags.plain(bytes)
        // liblo requires writable memory that is aligned for every type.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: plain.count, alignment: 16)
        defer { copy.deallocate() }
        copy.copyBytes(from: plain)
        var result: Int32 = 0
        guard let message = lo_message_deserialise(copy.baseAddress, plain.count, &result) else { throw tags.mismatch }
        defer { lo_message_free(message) }
        let count = Int(lo_message_get_argc(message))
        guard count == tags.letters.count, let values = lo_message_get_argv(message) else { throw tags.mismatch }
        return tags.letters.enumerated().flatMap { index, type in
            type == UInt8(ascii: "m") ? midi(values[index]) : [argument(type, values[index])]
        }
    }

    /// A MIDI message, port and three bytes, as the numbers of its status and data bytes.
    private static func midi(_ value: UnsafeMutablePointer<lo_arg>?) -> [Argument] {
        guard let value else { return [.other] }
        let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(value), count: 4)
        guard let message = MIDIMessage(bytes[1], bytes[2], bytes[3]) else { return [.other] }
        return [message.status, message.first, message.second].map { .int(Int32($0)) }
    }

    private static func argument(_ type: UInt8, _ value: UnsafeMutablePointer<lo_arg>?) -> Argument {
        switch type {
        case UInt8(ascii: "T"): return .bool(true)
        case UInt8(ascii: "F"): return .bool(false)
        default: break
        }
        guard let value else { return .other }
        let raw = UnsafeRawPointer(value)
        switch type {
        case UInt8(ascii: "i"): return .int(raw.loadUnaligned(as: Int32.self))
        case UInt8(ascii: "f"): return .float(raw.loadUnaligned(as: Float.self))
        case UInt8(ascii: "d"): return .double(raw.loadUnaligned(as: Double.self))
        case UInt8(ascii: "h"): return .double(Double(raw.loadUnaligned(as: Int64.self)))
        case UInt8(ascii: "s"), UInt8(ascii: "S"):
            // OSC allows ASCII only; UTF-8 is read as well. A repaired text could name another file than the sender meant.
            return String(validatingCString: raw.assumingMemoryBound(to: CChar.self)).map(Argument.string)
                ?? .unreadable("a text that is not UTF-8, such as one in Latin-1; send it in UTF-8")
        case UInt8(ascii: "c"):
            let code = UInt8(exactly: raw.loadUnaligned(as: Int32.self)).flatMap { (0x20..<0x7F).contains($0) ? $0 : nil }
            return code.map { .string(String(UnicodeScalar($0))) } ?? unreadable("a character that is not in ASCII", type)
        case UInt8(ascii: "b"): return unreadable("a blob", type)
        case UInt8(ascii: "r"): return unreadable("a colour", type)
        case UInt8(ascii: "t"): return unreadable("a time", type)
        default: return .other
        }
    }

    private static func unreadable(_ what: String, _ type: UInt8) -> Argument {
        .unreadable("\(what) (OSC type \(UnicodeScalar(type))); send a number, a text, true or false")
    }
}

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
