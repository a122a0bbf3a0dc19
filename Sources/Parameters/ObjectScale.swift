/// What protocols mean that have no metres.
public enum ObjectScale: Int, ParameterGroup {
    case unitDistance

    public static let container = "/object"
    public static let summary = ObjectSounds.summary
    public static var topic: Topic? { .objects }

    public var spec: ParameterSpec {
        switch self {
        case .unitDistance:
            // At the start 1 m: there objects begin and their gain is what is heard, as ADM has it at its own initial distance of 1.
            .init(
                title: "Unit distance", summary: "What ADM-OSC's distance of 1 is; objects stay where they are when it is set.",
                kind: .number(logarithmic: true), unit: .metre, range: 0.1...100, initial: .number(1)
            ).stepped
        }
    }
}
