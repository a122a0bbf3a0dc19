/// The sources that takes contain, and that the pre-roll keeps in memory.
public enum TakeSourceParameter: Int, ParameterGroup {
    case ears, array, input

    public static let container = "/take/source"
    public static let summary = "Sources of sound in takes."
    public static var topic: Topic? { .session }
    public static let inputs = ["none", "before rack", "after rack", "both"]

    public var spec: ParameterSpec {
        switch self {
        case .ears:
            .text(
                "Recorded listeners",
                "Numbers of those whose ears are recorded, such as 1,3; wired, network or all for groups of them; empty for none. "
                    + "Ears are recorded as they are heard, after the limiter.", role: .takeEars
            ).initially("1").numbersAsText.limited(to: 4000).kept(.session)
        case .array:
            .toggle(
                "Record array",
                "Whether the microphones are recorded, as they are heard. They are needed to render the ears of the take again.",
                role: .takeArray
            ).kept(.session)
        case .input:
            .choice("Record input", Self.inputs, "Whether it is, before its rack or after it.", role: .takeInput)
                .kept(.session)
        }
    }
}
