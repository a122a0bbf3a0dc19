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
