/// When the limiter that protects hearing is active for a listener.
public enum Protection: BitwiseCopyable, Sendable {
    /// Never, for rendering into a file.
    case none
    /// While the listener is heard over the network.
    case whenHeard
    case always

    @_noLocks @_noAllocation
    func isActive(isHeard: Bool) -> Bool {
        switch self {
        case .none: false
        case .whenHeard: isHeard
        case .always: true
        }
    }
}
