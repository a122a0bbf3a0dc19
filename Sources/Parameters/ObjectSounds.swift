/// What objects may sound.
public enum ObjectSounds: Int, ParameterGroup {
    case sounds

    public static let container = "/object"
    public static let summary = "Sound objects, and what they may sound."
    public static var topic: Topic? { .objects }

    public var spec: ParameterSpec {
        switch self {
        case .sounds:
            .text("Sounds", "Names that an object's sound may have, one a line.", access: .read, role: .objectSounds)
        }
    }
}
