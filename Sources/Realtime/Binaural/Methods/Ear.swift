/// The left ear at head azimuth +earAzimuth, or the right ear at -earAzimuth.
public enum Ear: Int, Sendable {
    case left, right

    /// Azimuth of the ear on a head with the default ear azimuth, degrees.
    public var azimuth: Float {
        @_noLocks @_noAllocation get {
            switch self {
            case .left: 90
            case .right: -90
            }
        }
    }
}
