internal import ListenerStreams
internal import Media

/// Formats of an HLS stream, one rendition each.
enum HLSFormat: String, CaseIterable, Sendable {
    /// Plays everywhere.
    case aac
    case opus

    /// Name of the codec in playlists (RFC 6381).
    var codec: String { self == .aac ? "mp4a.40.2" : "Opus" }

    var kind: SoundPacker.Kind { self == .aac ? .aacFragments : .opusFragments }

    /// Highest rate of AAC.
    static let highestRate = 96_000

    /// The formats that libav encodes at a rate: Opus only at 48,000 frames per second, none above 96,000.
    static func possible(rate: Int) -> [HLSFormat] {
        if rate == Opus.rate { return allCases }
        return rate <= highestRate ? [.aac] : []
    }
}
