/// Where a rack is in the sound's way.
public enum RackPosition: Sendable, Equatable {
    /// On what a listener hears of the recording.
    case recording
    /// On the live input, before it reaches the listeners.
    case input
    /// On everything one listener hears, counted from 0.
    case output(Int)

    public init(instance: Int) {
        self =
            switch instance {
            case 0: .recording
            case 1: .input
            default: .output(instance - 2)
            }
    }

    /// Of the parameter groups.
    public var instance: Int {
        switch self {
        case .recording: 0
        case .input: 1
        case .output(let listener): 2 + listener
        }
    }

    /// As in addresses and session files.
    public var name: String {
        switch self {
        case .recording: "recording"
        case .input: "input"
        case .output(let listener): "listener/\(listener + 1)"
        }
    }

    public var container: String { "/rack/\(name)" }

    /// All of a program with so many listeners.
    public static func all(listeners: Int) -> [RackPosition] { (0..<listeners + 2).map(RackPosition.init(instance:)) }
}
