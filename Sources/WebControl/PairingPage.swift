/// What a device that has been let in sees first.
public enum PairingPage: String, Decodable, Sendable {
    case panel
    /// Makes a phone a head tracker.
    case phone

    var path: String { self == .phone ? "/phone" : "/" }
}
