/// A change of the connection.
enum MQTTEvent: Sendable, Equatable {
    case connecting
    case connected
    /// The connection was lost or could not be made.
    case lost(String)
    /// The connection holds, but the broker refuses something.
    case refused(String)
}
