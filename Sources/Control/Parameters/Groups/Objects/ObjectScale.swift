/// The scale between metres and the distances of protocols without a unit.
public enum ObjectScale: Int, ParameterGroup {
    case unitDistance

    public static let container = "/object"
    public static let summary = ObjectSounds.summary
    public static var topic: Topic? { .objects }

    public var spec: ParameterSpec {
        switch self {
        case .unitDistance:
            // 1 m at first: at this initial distance of objects, the level heard is their gain, as in ADM at its initial distance of 1.
            .init(
                title: "Unit distance",
                summary: "Length of the distance 1 of ADM-OSC; changing it does not move objects.",
                kind: .number(logarithmic: true), unit: .metre, range: 0.1...100, initial: .number(1)
            ).stepped
        }
    }
}
