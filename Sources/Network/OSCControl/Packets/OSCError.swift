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
