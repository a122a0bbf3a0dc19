internal import Media

/// Coding of the sound in a package.
public enum PackageCoding: Equatable, Sendable {
    /// FLAC with 24 bits.
    case lossless
    /// Opus, each microphone by itself: kilobits per second of each.
    case opus(bitrate: Int)

    /// Name in the index.
    var name: String { self == .lossless ? "flac" : "opus" }

    /// Frames before and after a chunk that its streams contain as well, so that the codec has settled within them.
    var margins: (lead: Int, trail: Int) { self == .lossless ? (0, 0) : (3840, 960) }

    /// Channels of each stream.
    func groups(_ channels: Int) -> [Int] {
        let most = self == .lossless ? FlacFile.mostChannels : 1
        return stride(from: 0, to: channels, by: most).map { min(most, channels - $0) }
    }

    /// A stream as a file in memory.
    func bytes(of samples: [Float], channels: Int, rate: Int) throws(MediaError) -> [UInt8] {
        switch self {
        case .lossless: try FlacFile.bytes(of: samples, channels: channels, rate: rate)
        case .opus(let bitrate): try OpusFile.bytes(of: samples, bitrate: bitrate)
        }
    }
}
