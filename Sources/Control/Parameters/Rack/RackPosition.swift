/// Position of a rack in the signal path.
public enum RackPosition: Sendable, Equatable {
    /// The recording, as rendered for a listener.
    case recording
    /// The live input, before it reaches the listeners.
    case input
    /// Everything one listener hears; listeners are counted from 0.
    case output(Int)

    public init(instance: Int) {
        self =
            switch instance {
            case 0: .recording
            case 1: .input
            default: .output(instance - 2)
            }
    }

    /// Instance of ``RackParameter``.
    public var instance: Int {
        switch self {
        case .recording: 0
        case .input: 1
        case .output(let listener): 2 + listener
        }
    }

    /// Name in addresses and session files.
    public var name: String {
        switch self {
        case .recording: "recording"
        case .input: "input"
        case .output(let listener): "listener/\(listener + 1)"
        }
    }

    public var container: String { "/rack/\(name)" }

    /// All positions of a program with a number of listeners.
    public static func all(listeners: Int) -> [RackPosition] { (0..<listeners + 2).map(RackPosition.init(instance:)) }
}
