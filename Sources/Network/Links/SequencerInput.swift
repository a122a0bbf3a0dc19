/// Devices of the ALSA sequencer: all that are attached to this machine, or those with certain names.
final class SequencerInput: MIDIPort {
    /// nil until the system has a sequencer.
    private var sequencer = SequencerPort("control")
    private let names: [String]

    /// - Parameter names: parts of the names of devices and programs; none for all devices.
    init(_ names: [String]) { self.names = names }

    /// Whether the system has a sequencer.
    var isThere: Bool { sequencer != nil }

    var descriptor: Int32 { sequencer?.descriptor ?? -1 }

    func connect() -> [String] {
        if sequencer == nil { sequencer = SequencerPort("control") }
        guard let sequencer else { return [] }
        let wanted = sequencer.devices().filter { device in
            names.isEmpty ? device.isHardware : names.contains { device.isNamed($0) }
        }
        return wanted.filter { sequencer.receive($0) }.map(\.name)
    }

    func read(_ body: (ArraySlice<UInt8>) -> Void) -> Bool { sequencer?.read(body) ?? true }
}
