/// MIDI controllers: their messages, learning, and program changes.
public enum MIDIParameter: Int, ParameterGroup {
    case message, learn, clear, rack, programChannel, moved, inputs

    public static let container = "/midi"
    public static let summary = "MIDI controllers that move parameters, and program changes that load racks."
    public static var topic: Topic? { .effects }

    public var spec: ParameterSpec {
        switch self {
        case .message:
            .vector(
                "MIDI message", ["status", "first", "second"], 0...255, initial: [0, 0, 0], unit: .none,
                "A channel message: status and two data bytes, the second 0 if it is unused. OSC's type m is accepted as well.",
                access: .write, role: .midiMessage
            ).whole
        case .learn:
            .text(
                "Learn",
                "Address of a parameter to which the next moved controller is mapped; empty for none. A second argument, 0 to 1, is a "
                    + "position on its scale that a key or pad sets.", role: .midiLearn
            ).kept(.nothing).limited(to: 256).numbered
        case .clear: .impulse("Remove all mappings", "Removes every mapping of a controller to a parameter.", role: .midiClear)
        case .rack:
            .text(
                "Program change rack",
                "Rack that program changes replace: recording, input or listener/1; empty for none. Program 1 is the first line of "
                    + "/list/racks.",
                role: .midiRack
            ).kept(.session).limited(to: 64)
        case .programChannel:
            .integer(
                "Program change channel", 0...16, "MIDI channel on which program changes are received; 0 for any.",
                role: .midiProgramChannel
            )
            .kept(.session)
        case .moved:
            .text("Last controller", "Controller that moved last, with its channel and position.", access: .read, role: .midiMoved)
        case .inputs:
            .text("MIDI inputs", "Connected MIDI ports of the engine's computer, one per line.", access: .read, role: .midiInputs)
        }
    }
}
