/// The ways to make an ear's signal from the microphones around it. One case, one file.
public enum InterpolationMethod: Int, CaseIterable, BitwiseCopyable, Sendable {
    case nearest, linear, twoBand

    /// As clients and the command line spell it.
    public var name: String {
        switch self {
        case .nearest: "nearest"
        case .linear: "linear"
        case .twoBand: "two-band"
        }
    }

    public init?(name: String) {
        guard let method = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = method
    }
}
