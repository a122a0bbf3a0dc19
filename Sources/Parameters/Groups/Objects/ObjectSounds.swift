/// The sounds that objects can have.
public enum ObjectSounds: Int, ParameterGroup {
    case sounds

    public static let container = "/object"
    public static let summary = "Sound objects, and the sounds available to them."
    public static var topic: Topic? { .objects }

    public var spec: ParameterSpec {
        switch self {
        case .sounds:
            .text("Sounds", "Names of those available to objects, one per line.", access: .read, role: .objectSounds)
        }
    }
}
