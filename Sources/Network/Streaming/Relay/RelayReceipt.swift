/// Receipt of frames on one link: 16 bytes, little-endian.
public struct RelayReceipt: Sendable, Equatable {
    /// First byte, by which it differs from frames.
    public static let mark: UInt8 = 32
    public static let bytes = 16

    public let link: Int
    /// Frames that have arrived on the link, and how many of them arrived too late to be shown.
    public let frames: Int
    public let late: Int

    public init(link: Int, frames: Int, late: Int = 0) {
        self.link = link
        self.frames = frames
        self.late = late
    }

    public init(_ bytes: [UInt8]) throws(RelayRefusal) {
        guard bytes.count == Self.bytes, bytes[0] == Self.mark, bytes[1...3].allSatisfy({ $0 == 0 }) else {
            throw RelayRefusal(.form, "a receipt has \(Self.bytes) bytes, the first \(Self.mark) and the next three 0")
        }
        func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) } }
        self.init(link: number(4), frames: number(8), late: number(12))
    }
}
