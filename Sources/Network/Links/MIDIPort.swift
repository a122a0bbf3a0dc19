/// A source of MIDI bytes: the sequencer, a raw MIDI port, or a simulated one.
public protocol MIDIPort: AnyObject {
    /// Descriptor that becomes readable; -1 while there is none.
    var descriptor: Int32 { get }

    /// Connects to the devices that are present by now.
    /// - Returns: names of all connected devices.
    func connect() -> [String]

    /// Reads pending bytes.
    /// - Returns: false when a device has been unplugged.
    func read(_ body: (ArraySlice<UInt8>) -> Void) -> Bool
}
