/// Result of handling a message. Every case but `done` has a text for the sender.
public enum Reply: Equatable, Sendable {
    case done
    /// The value was out of range; the text names the value that was stored instead.
    case clamped(String)
    case refused(String)
    case unknown(String)

    /// Text for the sender; nil when the value was stored as sent.
    public var text: String? {
        switch self {
        case .done: nil
        case .clamped(let text), .refused(let text), .unknown(let text): text
        }
    }
}
