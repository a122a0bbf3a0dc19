/// A place for one mapping of a MIDI controller to a parameter.
public enum MIDIMappingParameter: Int, ParameterGroup {
    case mapping

    public static let container = "/midi/{n}"
    public static let summary = "A MIDI controller and the parameter that it moves."
    public static var topic: Topic? { .effects }
    /// The largest number of mappings.
    public static let most = 64

    public var spec: ParameterSpec {
        .text(
            "MIDI mapping",
            "CONTROLLER [channel N] to ADDRESS [input A B] [output A B] [curve C] [toggle], for example cc 7 channel 1 to "
                + "/listener/1/gain output 0.5 1; empty for none.",
            role: .midiMapping
        ).kept(.session).limited(to: 512)
    }
}
