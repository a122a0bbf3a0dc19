/// Devices of the ALSA sequencer: all that are attached to this machine, or those with certain names.
final class SequencerInput: MIDIPort {
    private let sequencer: SequencerPort
    private let names: [String]

    /// Returns nil when the system has no sequencer.
    /// - Parameter names: parts of the names of devices and programs; none for all devices.
    init?(_ names: [String]) {
        guard let sequencer = SequencerPort("control") else { return nil }
        self.sequencer = sequencer
        self.names = names
    }

    var descriptor: Int32 { sequencer.descriptor }

    func connect() -> [String] {
        let wanted = sequencer.devices().filter { device in
            names.isEmpty ? device.isHardware : names.contains { device.isNamed($0) }
        }
        return wanted.filter { sequencer.receive($0) }.map(\.name)
    }

    func read(_ body: (ArraySlice<UInt8>) -> Void) -> Bool { sequencer.read(body) }
}
