/// MIDI messages for Supperware's Head Tracker 1. Source: the manufacturer's MIDI specification and its ht-api-juce.
enum Supperware {
    /// Sensors on at 100 Hz (parameter 0: 28), quaternions (parameter 1: 05), compass messages (parameter 3: 40).
    static let begin: [UInt8] = [0xF0, 0x00, 0x21, 0x42, 0x00, 0x00, 0x28, 0x01, 0x05, 0x03, 0x40, 0xF7]
    /// Sensors off.
    static let end: [UInt8] = [0xF0, 0x00, 0x21, 0x42, 0x00, 0x00, 0x40, 0xF7]
}
