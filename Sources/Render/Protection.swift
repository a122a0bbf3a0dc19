/// When the limiter that protects hearing stands before an ear.
public enum Protection: BitwiseCopyable, Sendable {
    /// Never: what is rendered into a file is nobody's ear.
    case none
    /// While somebody listens over the network: the device itself plays to nobody.
    case whenHeard
    case always
}
