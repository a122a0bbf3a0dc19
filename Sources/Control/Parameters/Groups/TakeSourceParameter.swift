/// The sources that takes record and the pre-roll keeps in memory.
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
                "Listeners to record: 1,3, wired, network or all; empty for none. Their ears are recorded after the limiter.",
                role: .takeEars
            ).initially("1").numbersAsText.limited(to: 4000).kept(.session)
        case .array:
            .toggle(
                "Record array",
                "Whether the corrected microphones are recorded. They are needed to render the ears of the take again.",
                role: .takeArray
            ).kept(.session)
        case .input:
            .choice(
                "Record input", Self.inputs, "Whether the live input is recorded: before its rack, after it, or both.", role: .takeInput
            )
            .kept(.session)
        }
    }
}
