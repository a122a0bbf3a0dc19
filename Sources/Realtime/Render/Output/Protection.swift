/// Whether the limiter that protects hearing is active. It is also active for listeners without clients, so that meters show what would be
/// heard, and nothing changes when a client begins to listen.
public enum Protection: BitwiseCopyable, Sendable {
    /// Never, for sound that is written into a file as it is.
    case none
    case always

    var isActive: Bool {
        @_noLocks @_noAllocation get {
            switch self {
            case .none: false
            case .always: true
            }
        }
    }
}
