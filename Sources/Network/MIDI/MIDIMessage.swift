/// One channel message: note, controller, program change, pressure or pitch bend.
public struct MIDIMessage: BitwiseCopyable, Hashable, Sendable {
    /// Kind in the upper four bits, channel in the lower four.
    public let status: UInt8
    /// 0 to 127.
    public let first: UInt8
    /// 0 to 127; 0 for messages with one data byte.
    public let second: UInt8

    /// - Returns: nil unless the bytes are a channel message. `second` is ignored where a message has one data byte.
    public init?(_ status: UInt8, _ first: UInt8, _ second: UInt8 = 0) {
        let length = Self.dataBytes(status)
        guard length > 0, first < 0x80, length == 1 || second < 0x80 else { return nil }
        self.status = status
        self.first = first
        self.second = length == 2 ? second : 0
    }

    /// 1 to 16.
    public var channel: Int { Int(status & 0x0F) + 1 }

    /// Number of the program, counted from 0; nil for another message.
    public var program: Int? { status & 0xF0 == 0xC0 ? Int(first) : nil }

    /// The number of data bytes of a channel message; 0 for any other status, and for a data byte.
    public static func dataBytes(_ status: UInt8) -> Int {
        switch status & 0xF0 {
        case 0x80, 0x90, 0xA0, 0xB0, 0xE0: 2
        case 0xC0, 0xD0: 1
        default: 0
        }
    }
}

/// Reads channel messages from a stream of MIDI bytes, with running status.
///
/// System exclusive and other system messages are skipped; clock messages are allowed anywhere, even inside other messages.
/// Data bytes without a status are dropped, as is a message that another one interrupts.
public struct MIDIParser: Sendable {
    private var status: UInt8 = 0
    private var first: UInt8?

    public init() {}

    /// All messages that these bytes complete, in order.
    public mutating func take(_ bytes: some Sequence<UInt8>) -> [MIDIMessage] { bytes.compactMap { take($0) } }

    /// - Returns: the message that this byte completes.
    public mutating func take(_ byte: UInt8) -> MIDIMessage? {
        if byte >= 0xF8 { return nil }
        if byte >= 0x80 {
            // Data bytes of a system message belong to no channel message.
            (status, first) = (byte < 0xF0 ? byte : 0, nil)
            return nil
        }
        guard status != 0 else { return nil }
        if MIDIMessage.dataBytes(status) == 1 { return MIDIMessage(status, byte) }
        guard let first else {
            self.first = byte
            return nil
        }
        self.first = nil
        return MIDIMessage(status, first, byte)
    }
}
