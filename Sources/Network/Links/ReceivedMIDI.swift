public import MIDI

/// A received MIDI message.
public struct ReceivedMIDI: Equatable, Sendable {
    public let message: MIDIMessage
    /// Time at which it was read, CLOCK_MONOTONIC nanoseconds.
    public let time: UInt64
}
