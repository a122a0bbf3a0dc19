internal import CSndFile

/// The numbers in a sound file's header, which are checked before anything is sized by them.
struct SoundHeader {
    let rate: Int
    let channels: Int
    let frames: Int
    /// Bytes per sample of one channel; nil for compressed sound.
    let sampleSize: Int?
    /// Size of the file in bytes.
    let size: Int

    /// Frames per second.
    static let rates = 8_000...768_000
    static let channelCounts = 1...1024
    /// Frames that a byte of compressed sound may hold: a FLAC frame of constant samples holds 65,535 in about 12 bytes.
    static let mostFramesPerByte = 8192

    init(_ info: SF_INFO, size: Int) {
        (rate, channels, frames) = (Int(info.samplerate), Int(info.channels), Int(info.frames))
        let type = Int(info.format) & Int(SF_FORMAT_TYPEMASK)
        let isPlain = type != Int(SF_FORMAT_FLAC) && type != Int(SF_FORMAT_OGG)
        sampleSize = isPlain ? Self.sampleSizes[Int(info.format) & Int(SF_FORMAT_SUBMASK)] : nil
        self.size = size
    }

    private static let sampleSizes = [
        Int(SF_FORMAT_PCM_S8): 1, Int(SF_FORMAT_PCM_U8): 1, Int(SF_FORMAT_ULAW): 1, Int(SF_FORMAT_ALAW): 1,
        Int(SF_FORMAT_PCM_16): 2, Int(SF_FORMAT_PCM_24): 3, Int(SF_FORMAT_PCM_32): 4, Int(SF_FORMAT_FLOAT): 4,
        Int(SF_FORMAT_DOUBLE): 8,
    ]

    /// - Throws: ``MediaError`` naming the first number out of its range.
    func check(_ path: String) throws(MediaError) {
        guard Self.rates.contains(rate) else {
            throw MediaError(
                "\(path) has a sample rate of \(rate) Hz, but it must be \(Self.rates.lowerBound) to \(Self.rates.upperBound) Hz. "
                    + "Convert it, or export it again.")
        }
        guard Self.channelCounts.contains(channels) else {
            throw MediaError("\(path) has \(channels) channels, but a sound file may have 1 to \(Self.channelCounts.upperBound).")
        }
        let most = sampleSize.map { size / ($0 * channels) } ?? size * Self.mostFramesPerByte
        guard frames <= most else {
            throw MediaError(
                "\(path) is damaged: its header announces \(frames) frames, but its \(size) bytes hold at most \(most). "
                    + "Copy it again, or export it again.")
        }
    }
}
