/// The device that records the live input together with the playing one.
public enum DeviceInput: Equatable, Sendable, CustomStringConvertible {
    case alsa(String)
    /// Input ports of the JACK client that plays.
    case jack

    public var description: String {
        switch self {
        case .alsa(let name): "alsa:\(name)"
        case .jack: "jack"
        }
    }
}
