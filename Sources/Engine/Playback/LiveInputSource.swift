import Device
import Media
import Render

/// Source of the live input: an ALSA device, or a sound file that loops in its place.
package enum LiveInputSource {
    case alsa(String)
    case file(String)

    /// Longest file, seconds.
    static let longest = 600.0

    /// - Parameter text: `alsa:NAME`, or the path of a sound file.
    package init(_ text: String) throws {
        guard text.hasPrefix("alsa:") else {
            self = .file(text)
            return
        }
        let name = String(text.dropFirst(5))
        guard !name.isEmpty else { throw DeviceError("The input alsa: has no name. Write alsa:NAME, for example alsa:default.") }
        self = .alsa(name)
    }

    /// Name of the ALSA device, which the playing device has to keep in time with.
    package var alsaName: String? { if case .alsa(let name) = self { name } else { nil } }

    package var description: String {
        switch self {
        case .alsa(let name): "alsa:\(name)"
        case .file(let path): path
        }
    }

    /// Reads a file into memory; nil for an ALSA device.
    func clip(rate: Int) throws(MediaError) -> InputClip? {
        guard case .file(let path) = self else { return nil }
        let sound = try WholeSound(path: path, rate: rate, longest: Self.longest, purpose: "a file as live input")
        return InputClip(interleaved: sound.interleaved)
    }
}
