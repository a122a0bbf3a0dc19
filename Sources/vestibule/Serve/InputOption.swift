import Device
import Media
import Render

/// `--input`: `alsa:NAME`, or a sound file that is played over and over instead.
enum InputOption {
    case alsa(String)
    case file(String)

    /// Seconds of a file.
    static let longest = 600.0

    init(_ text: String) throws {
        guard text.hasPrefix("alsa:") else {
            self = .file(text)
            return
        }
        let name = String(text.dropFirst(5))
        guard !name.isEmpty else { throw DeviceError("--input alsa: has no name. Write alsa:NAME, for example alsa:default.") }
        self = .alsa(name)
    }

    /// ALSA's name, for the device that plays in time with it.
    var alsaName: String? { if case .alsa(let name) = self { name } else { nil } }

    var description: String {
        switch self {
        case .alsa(let name): "alsa:\(name)"
        case .file(let path): path
        }
    }

    /// The file in memory; nil for a card.
    func clip(rate: Int) throws(MediaError) -> InputClip? {
        guard case .file(let path) = self else { return nil }
        let sound = try WholeSound(path: path, rate: rate, longest: Self.longest, purpose: "a file as live input")
        return InputClip(interleaved: sound.interleaved)
    }
}
