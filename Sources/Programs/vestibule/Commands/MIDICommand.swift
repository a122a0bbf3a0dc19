import ArgumentParser
import Links

/// `vestibule midi`: the MIDI controllers of this machine.
struct MIDICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "midi", abstract: "List the MIDI ports of hardware and programs that controllers can be learned from (--midi).",
        discussion: """
            Every hardware port is used unless `vestibule serve --midi` names others; programs are used when they are named, or connected \
            to the port Vestibule, for example by `aconnect`.
            """)

    func run() throws {
        guard let sequencer = SequencerPort("list") else {
            print(
                """
                No MIDI ports: this machine has no MIDI sequencer (/dev/snd/seq). Try `sudo modprobe snd-seq`.
                Controllers at a browser work all the same: the panel's card MIDI sends what they do.
                """)
            return
        }
        let ports = sequencer.devices()
        guard !ports.isEmpty else { return print("No MIDI ports: no controller is connected, and no program offers one.") }
        for port in ports { print("\(port.name)  (\(port.isHardware ? "hardware" : "program"))") }
    }
}
