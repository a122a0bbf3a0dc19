/// Whether the limiter that protects hearing is active. It is so also for listeners that nobody hears at the moment, so that
/// meters show what would be heard, and nothing changes when somebody begins to listen.
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
