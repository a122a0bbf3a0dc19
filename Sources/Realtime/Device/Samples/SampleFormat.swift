internal import CALSA

/// Sample format of a sound device, best first, in native byte order.
enum SampleFormat: CaseIterable, Sendable {
    case float
    case integer32
    case integer16

    var alsa: snd_pcm_format_t {
        switch self {
        case .float: SND_PCM_FORMAT_FLOAT
        case .integer32: SND_PCM_FORMAT_S32
        case .integer16: SND_PCM_FORMAT_S16
        }
    }

    /// Bytes per sample of one channel.
    var size: Int { self == .integer16 ? 2 : 4 }
}
