import ArgumentParser
import Links

/// `vestibule midi`: the MIDI controllers of this machine.
struct MIDICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "midi", abstract: "List the MIDI devices and programs that controllers can be learned from (--midi).",
        discussion: """
            Every device is used unless `vestibule serve --midi` names others; programs are used when they are named, or connected \
            to the port Vestibule, for example by `aconnect`.
            """)

    func run() throws {
        guard let sequencer = SequencerPort("list") else {
            print(
                """
                No MIDI devices: this machine has no MIDI sequencer (/dev/snd/seq). Try `sudo modprobe snd-seq`.
                Controllers at a browser work all the same: the panel's card MIDI sends what they do.
                """)
            return
        }
        let devices = sequencer.devices()
        guard !devices.isEmpty else { return print("No MIDI devices: none is connected, and no program offers a port.") }
        for device in devices { print("\(device.name)  (\(device.isHardware ? "device" : "program"))") }
    }
}
