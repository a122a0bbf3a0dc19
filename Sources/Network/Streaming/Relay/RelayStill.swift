/// A small still picture of a sender's offer: the header of a frame, with a type and a codec of its own, and a JPEG.
public struct RelayStill: Sendable, Equatable {
    /// First byte, by which it differs from frames.
    public static let mark: UInt8 = 4
    private static let codec: UInt8 = 32
    /// Bytes of the largest one, with its header, and pixels of its longer side.
    public static let (largest, longest) = (16_384, 320)

    public let width: Int
    public let height: Int

    /// Checks a whole one.
    public init(_ bytes: [UInt8]) throws(RelayRefusal) {
        guard bytes.count <= Self.largest else {
            throw RelayRefusal(.size, "a small picture has \(bytes.count) bytes; it has at most \(Self.largest)")
        }
        let begin = RelayFrame.headerBytes
        guard bytes.count > begin + 2, bytes[0] == Self.mark, bytes[1] == Self.codec, bytes[2] == 0, bytes[3] == 0,
            bytes[begin] == 0xFF, bytes[begin + 1] == 0xD8
        else { throw RelayRefusal(.form, "a small picture has type \(Self.mark), codec \(Self.codec), two bytes of 0, and is a JPEG") }
        (width, height) = (Int(bytes[12]) | Int(bytes[13]) << 8, Int(bytes[14]) | Int(bytes[15]) << 8)
        guard (1...Self.longest).contains(width), (1...Self.longest).contains(height) else {
            throw RelayRefusal(.size, "a small picture has \(width) x \(height) pixels; each side has 1 to \(Self.longest)")
        }
    }
}
