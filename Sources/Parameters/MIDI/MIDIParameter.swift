/// MIDI controllers: their messages, learning, and programme changes.
public enum MIDIParameter: Int, ParameterGroup {
    case message, learn, clear, rack, programChannel, moved, inputs

    public static let container = "/midi"
    public static let summary = "MIDI controllers that move parameters, and programme changes that load racks."
    public static var topic: Topic? { .effects }

    public var spec: ParameterSpec {
        switch self {
        case .message:
            .vector(
                "MIDI message", ["status", "first", "second"], 0...255, initial: [0, 0, 0], unit: .none,
                "A channel message: status and two data bytes, the second 0 where there is none. OSC's type m is accepted as well.",
                access: .write, role: .midiMessage
            ).whole
        case .learn:
            .text(
                "Learn", "Address of a parameter that the next controller to move is mapped to; empty for none.", role: .midiLearn
            ).kept(.nothing).limited(to: 256)
        case .clear: .impulse("Remove all mappings", "Removes every mapping of a controller to a parameter.", role: .midiClear)
        case .rack:
            .text(
                "Programme rack",
                "The one whose presets the changes load, programme 1 the first: recording, input or listener/1; empty for none.",
                role: .midiRack
            ).kept(.session).limited(to: 64)
        case .programChannel:
            .integer("Programme channel", 0...16, "MIDI channel on which changes are received; 0 for any.", role: .midiProgramChannel).kept(
                .session)
        case .moved:
            .text("Last controller", "The one that moved last, its channel and its position.", access: .read, role: .midiMoved)
        case .inputs:
            .text("MIDI inputs", "Connected MIDI devices of the engine's computer, one per line.", access: .read, role: .midiInputs)
        }
    }
}
