public import MIDI

/// A MIDI message of a device.
public struct ReceivedMIDI: Equatable, Sendable {
    public let message: MIDIMessage
    /// When it was read, CLOCK_MONOTONIC nanoseconds.
    public let time: UInt64
}
