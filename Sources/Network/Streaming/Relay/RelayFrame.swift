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

/// Codec of a frame, by its number in the header and its name in messages.
public enum RelayCodec: UInt8, Sendable, CaseIterable {
    case vp8 = 1
    /// Constrained baseline, with start codes (Annex B).
    case h264 = 2
    /// Main profile, as temporal units.
    case av1 = 3
    case opus = 16

    public init?(name: String) {
        guard let codec = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = codec
    }

    public var name: String { "\(self)" }
    public var isSound: Bool { self == .opus }
    /// Codecs of pictures.
    public static var pictures: [RelayCodec] { allCases.filter { !$0.isSound } }
    /// Names of the codecs of pictures, for messages.
    public static var words: String { pictures.map(\.name).joined(separator: ", ") }
}

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
