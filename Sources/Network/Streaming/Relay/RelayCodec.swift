/// Codec of a frame, by its number in the header and its name in messages.
public enum RelayCodec: UInt8, Sendable, CaseIterable {
    case vp8 = 1
    /// Constrained baseline, with start codes (Annex B).
    case h264 = 2
    /// Main profile, as temporal units.
    case av1 = 3
    case opus = 16

    public init?(name: String) {
        guard let codec = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = codec
    }

    public var name: String { "\(self)" }
    public var isSound: Bool { self == .opus }
    /// Codecs of pictures.
    public static var pictures: [RelayCodec] { allCases.filter { !$0.isSound } }
    /// Names of the codecs of pictures, for messages.
    public static var words: String { pictures.map(\.name).joined(separator: ", ") }
}
