/// The page that a client opens once it is paired.
public enum PairingPage: String, Decodable, Sendable {
    case panel
    /// Makes a phone a head tracker.
    case phone

    var path: String { self == .phone ? "/phone" : "/" }
}
