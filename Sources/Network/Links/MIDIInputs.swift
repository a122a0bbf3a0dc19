internal import Threads

/// The MIDI inputs of a run, as the command line names them.
public final class MIDIInputs {
    private let inputs: [MIDIInput]

    /// The word for no inputs at all.
    public static let none = "none"

    /// Opens the inputs and starts their threads.
    ///
    /// - Parameters:
    ///   - names: parts of the names of sequencer ports, and paths of raw MIDI ports; none for all ports of the sequencer,
    ///     and ``none`` for no inputs.
    ///   - report: called with what cannot be used. A system without a sequencer is reported only where a port is named.
    public init(_ names: [String], queue: MIDIQueue, report: (String) -> Void) {
        let paths = names.filter { $0.hasPrefix("/") }
        let devices = names.filter { !$0.hasPrefix("/") }
        var inputs: [MIDIInput] = []
        func add(_ name: String, _ port: sending any MIDIPort) {
            do throws(ThreadError) { inputs.append(try MIDIInput(port, queue: queue)) } catch {
                report("MIDI from \(name) is not read: \(error)")
            }
        }
        for path in paths { add(path, RawMIDIInput(path: path)) }
        if names.isEmpty || !devices.isEmpty && devices != [Self.none] {
            let sequencer = SequencerInput(devices)
            if !sequencer.isThere, !devices.isEmpty {
                report(
                    "--midi \(devices.joined(separator: ", ")): this machine has no MIDI sequencer (/dev/snd/seq); waiting for it, "
                        + "try `sudo modprobe snd-seq`")
            }
            add("the sequencer", sequencer)
        }
        self.inputs = inputs
    }

    public func stop() { for input in inputs { input.stop() } }
}
