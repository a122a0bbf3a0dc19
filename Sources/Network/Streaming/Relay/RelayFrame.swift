/// Header of an encoded picture or packet of sound: 24 bytes, little-endian, as `protocol/camera-stream.md` describes.
public struct RelayFrame: Sendable, Equatable {
    public enum Kind: UInt8, Sendable {
        /// Picture that can be decoded by itself.
        case key = 1
        /// Picture that depends on the previous one.
        case delta = 2
        case sound = 3
    }

    public static let headerBytes = 24
    /// Bytes of the largest frame, with its header.
    public static let largest = 524_288
    /// Bytes of the longest packet of sound, with its header: Opus, 120 ms.
    public static let largestSound = headerBytes + 3 * 1277
    /// Offset of the sender's number, which the relay writes.
    public static let senderOffset = 4

    public let kind: Kind
    public let codec: RelayCodec
    /// Number of the sender; 0 in what it sends itself.
    public let sender: UInt32
    /// Rises by one with every frame of its kind: pictures and sound are counted apart.
    public let number: UInt32
    /// Pixels; 0 for sound.
    public let width: Int
    public let height: Int
    /// Time of capture, microseconds of the sender's clock.
    public let timestamp: UInt64

    public init(
        _ kind: Kind, codec: RelayCodec, sender: UInt32 = 0, number: UInt32, width: Int = 0, height: Int = 0, timestamp: UInt64 = 0
    ) {
        self.kind = kind
        self.codec = codec
        self.sender = sender
        self.number = number
        self.width = width
        self.height = height
        self.timestamp = timestamp
    }

    /// Reads the header of a whole frame.
    public init(_ bytes: [UInt8]) throws(RelayRefusal) {
        guard bytes.count > Self.headerBytes else {
            throw RelayRefusal(.form, "a frame has \(bytes.count) bytes; it needs a header of \(Self.headerBytes) bytes and contents")
        }
        guard bytes.count <= Self.largest else {
            throw RelayRefusal(.size, "a frame has \(bytes.count) bytes; at most \(Self.largest) are relayed")
        }
        func number<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type = Value.self) -> Value {
            (0..<MemoryLayout<Value>.size).reduce(0) { $0 | Value(truncatingIfNeeded: bytes[offset + $1]) << (8 * $1) }
        }
        guard let kind = Kind(rawValue: bytes[0]) else {
            throw RelayRefusal(.form, "there is no frame of type \(bytes[0]); the types are 1 (key), 2 (delta) and 3 (sound)")
        }
        guard let codec = RelayCodec(rawValue: bytes[1]) else {
            throw RelayRefusal(.codec, "there is no codec \(bytes[1]); the codecs are 1 (vp8), 2 (h264), 3 (av1) and 16 (opus)")
        }
        guard codec.isSound == (kind == .sound) else {
            throw RelayRefusal(.codec, "a frame of type \(kind.rawValue) cannot have codec \(codec.rawValue) (\(codec.name))")
        }
        guard kind != .sound || bytes.count <= Self.largestSound else {
            throw RelayRefusal(.size, "a packet of sound has \(bytes.count) bytes; it has at most \(Self.largestSound)")
        }
        guard bytes[2] == 0, bytes[3] == 0 else { throw RelayRefusal(.form, "bytes 2 and 3 of a frame are reserved and must be 0") }
        self.init(
            kind, codec: codec, sender: number(Self.senderOffset), number: number(8), width: Int(number(12, UInt16.self)),
            height: Int(number(14, UInt16.self)), timestamp: number(16))
        guard kind == .sound || (width > 0 && height > 0) else { throw RelayRefusal(.form, "a picture has no pixels") }
    }
}
