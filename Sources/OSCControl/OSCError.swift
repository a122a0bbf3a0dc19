/// Why bytes are not an OSC packet: what is wrong, and where.
public struct OSCError: Error, Equatable, CustomStringConvertible {
    public enum Problem: Equatable, Sendable {
        case empty
        /// OSC counts in units of four bytes.
        case length(Int)
        case unterminatedAddress
        case emptyAddress
        case addressByte(UInt8)
        case addressPadding
        case typeTags
        case arguments(tags: String)
        case bundleHeader
        case elementSize(Int, left: Int)
        case tooDeep
        case tooMany
    }

    public let problem: Problem
    /// Where in the packet, in bytes from its start.
    public let offset: Int

    public init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    public var description: String { "not OSC: \(words), at byte \(offset)" }

    private var words: String {
        switch problem {
        case .empty: "a packet of no bytes"
        case .length(let count): "\(count) bytes, which is no multiple of 4"
        case .unterminatedAddress: "an address without an end"
        case .emptyAddress: "an empty address"
        case .addressByte(let byte): "byte \(byte) in an address, which takes printable ASCII without spaces"
        case .addressPadding: "an address that is not filled up with zeros"
        case .typeTags: "type tags that are missing, do not begin with a comma, or do not end"
        case .arguments(let tags): "arguments that do not fit the type tags \"\(tags)\""
        case .bundleHeader: "a bundle shorter than its header of 16 bytes"
        case .elementSize(let size, let left): "a bundle element of \(size) bytes where \(left) are left"
        case .tooDeep: "bundles nested more than \(OSCPacket.deepestBundle) deep"
        case .tooMany: "a bundle of more than \(OSCPacket.mostElements) messages"
        }
    }
}
