internal import CLiblo
internal import Glibc
public import Hub
public import Parameters

/// Reads and writes OSC 1.0 packets. Bundles are parsed here; liblo reads and writes arguments.
///
/// Never reads past the given bytes, even for malformed input.
public enum OSCPacket {
    /// The timetag that means "now".
    public static let immediately: UInt64 = 1
    static let maximumDepth = 8
    static let maximumElements = 4096

    /// One message of a packet: the range of its bytes, and the timetag of the enclosing bundle.
    public struct Element: Equatable, Sendable {
        public let range: Range<Int>
        /// NTP time: seconds since 1900 in the upper 32 bits, the fraction in the lower 32; ``immediately`` outside bundles.
        public let timetag: UInt64
    }

    /// The messages of a packet, bundles unpacked, in order.
    ///
    /// An element of a nested bundle has the latest timetag of all bundles that contain it.
    /// - Throws: ``OSCError`` when a bundle is malformed. The messages themselves are not parsed.
    public static func elements(_ bytes: UnsafeRawBufferPointer) throws(OSCError) -> [Element] {
        var found: [Element] = []
        try collect(bytes, 0..<bytes.count, timetag: immediately, depth: 0, into: &found)
        return found
    }

    /// Every message of a packet, with its timetag.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer, receiveTime: UInt64
    ) throws(OSCError) -> [(timetag: UInt64, message: Message)] {
        var messages: [(timetag: UInt64, message: Message)] = []
        for element in try elements(bytes) {
            do {
                let message = try message(
                    UnsafeRawBufferPointer(rebasing: bytes[element.range]), receiveTime: receiveTime)
                messages.append((element.timetag, message))
            } catch {
                throw OSCError(error.problem, at: error.offset + element.range.lowerBound)
            }
        }
        return messages
    }

    /// Returns the NTP timetag of a bundle; nil for a message.
    static func timetag(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        guard bytes.count >= 16, isBundle(bytes, 0..<bytes.count) else { return nil }
        return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Returns whether these bytes begin with a bundle header.
    static func isBundle(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        let mark: StaticString = "#bundle"
        guard range.count >= 8 else { return false }
        for i in 0..<8 where bytes[range.lowerBound + i] != (i < 7 ? mark.utf8Start[i] : 0) { return false }
        return true
    }

    private static func collect(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, timetag: UInt64, depth: Int, into found: inout [Element]
    ) throws(OSCError) {
        guard !range.isEmpty else { throw OSCError(.empty, at: range.lowerBound) }
        guard range.count % 4 == 0 else { throw OSCError(.length(range.count), at: range.lowerBound) }
        guard isBundle(bytes, range) else {
            guard found.count < maximumElements else { throw OSCError(.tooMany, at: range.lowerBound) }
            found.append(Element(range: range, timetag: timetag))
            return
        }
        guard depth < maximumDepth else { throw OSCError(.tooDeep, at: range.lowerBound) }
        guard range.count >= 16 else { throw OSCError(.bundleHeader, at: range.lowerBound) }
        let own = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: range.lowerBound + 8, as: UInt64.self))
        var at = range.lowerBound + 16
        while at < range.upperBound {
            let left = range.upperBound - at - 4
            let size = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: Int32.self)))
            guard size > 0, size <= left else { throw OSCError(.elementSize(size, left: left), at: at) }
            try collect(
                bytes, (at + 4)..<(at + 4 + size), timetag: max(own, timetag), depth: depth + 1, into: &found)
            at += 4 + size
        }
    }
}

extension OSCPacket {
    /// Returns the bytes of one message. Strings end at their first zero byte; ``Argument/other`` and what could not be read are sent as
    /// nil.
    public static func bytes(_ address: String, _ arguments: [Argument]) -> [UInt8] {
        let message = lo_message_new()
        defer { lo_message_free(message) }
        for argument in arguments {
            switch argument {
            case .int(let value): lo_message_add_int32(message, value)
            case .float(let value): lo_message_add_float(message, value)
            case .double(let value): lo_message_add_double(message, value)
            case .string(let value): lo_message_add_string(message, value)
            case .bool(true): lo_message_add_true(message)
            case .bool(false): lo_message_add_false(message)
            case .other, .unreadable: lo_message_add_nil(message)
            }
        }
        return [UInt8](unsafeUninitializedCapacity: lo_message_length(message, address)) { memory, count in
            count = memory.count
            lo_message_serialise(message, address, memory.baseAddress, &count)
        }
    }

    /// Returns the bytes of a bundle.
    /// - Parameters:
    ///   - elements: messages or bundles, as bytes.
    ///   - timetag: NTP time at which the bundle takes effect.
    public static func bundle(_ elements: [[UInt8]], timetag: UInt64 = immediately) -> [UInt8] {
        var bytes = Array("#bundle\0".utf8)
        bytes.reserveCapacity(elements.reduce(16) { $0 + 4 + $1.count })
        withUnsafeBytes(of: timetag.bigEndian) { bytes.append(contentsOf: $0) }
        for element in elements {
            withUnsafeBytes(of: Int32(element.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: element)
        }
        return bytes
    }
}

/// A violation of the OSC format: the problem and its position.
public struct OSCError: Error, Equatable, CustomStringConvertible {
    public enum Problem: Equatable, Sendable {
        case empty
        /// The length in bytes, which is not a multiple of four.
        case length(Int)
        case unterminatedAddress
        case emptyAddress
        case addressByte(UInt8)
        case addressPadding
        case typeTags
        case brackets
        /// The letter of a type that OSC does not define, so that the length of its value is unknown.
        case unknownType(UInt8)
        case arguments(tags: String)
        case bundleHeader
        case elementSize(Int, left: Int)
        case tooDeep
        case tooMany
    }

    public let problem: Problem
    /// Position of the problem, in bytes from the start of the packet.
    public let offset: Int

    public init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    public var description: String {
        if case .unknownType(let letter) = problem {
            return "a message was ignored because its OSC type \"\(UnicodeScalar(letter))\" is unknown, at byte \(offset); "
                + "send numbers as i or f, texts as s, and true or false as T or F"
        }
        return "not OSC: \(words), at byte \(offset)"
    }

    private var words: String {
        switch problem {
        case .empty: "empty packet"
        case .length(let count): "length \(count) is not a multiple of 4"
        case .unterminatedAddress: "unterminated address"
        case .emptyAddress: "empty address"
        case .addressByte(let byte): "byte \(byte) in an address, where only printable ASCII without spaces is allowed"
        case .addressPadding: "address not padded with zeros"
        case .typeTags: "type tags missing, unterminated or without a leading comma"
        case .brackets: "brackets of arrays in the type tags do not match"
        case .unknownType: "unknown type"
        case .arguments(let tags): "arguments do not match the type tags \"\(tags)\""
        case .bundleHeader: "bundle shorter than its 16-byte header"
        case .elementSize(let size, let left): "bundle element of \(counted(size, "byte")) where \(left) remain"
        case .tooDeep: "bundles nested more than \(OSCPacket.maximumDepth) deep"
        case .tooMany: "more than \(OSCPacket.maximumElements) messages in a bundle"
        }
    }
}
