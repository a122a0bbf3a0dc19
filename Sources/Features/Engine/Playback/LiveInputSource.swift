package import Device
import Media
import Render

/// Source of the live input: an ALSA device, ports of the JACK client, or a sound file that loops in its place.
package enum LiveInputSource {
    case alsa(String)
    case jack
    case file(String)

    /// Longest file, seconds.
    static let longest = 600.0

    /// - Parameter text: `alsa:NAME`, `jack`, or the path of a sound file.
    package init(_ text: String) throws {
        guard text != "jack" else {
            self = .jack
            return
        }
        guard text.hasPrefix("alsa:") else {
            self = .file(text)
            return
        }
        let name = String(text.dropFirst(5))
        guard !name.isEmpty else { throw DeviceError("The input alsa: has no name. Write alsa:NAME, for example alsa:default.") }
        self = .alsa(name)
    }

    /// The recording device, which the playing device has to keep in time with; nil for a file.
    package var device: DeviceInput? {
        switch self {
        case .alsa(let name): .alsa(name)
        case .jack: .jack
        case .file: nil
        }
    }

    package var description: String {
        switch self {
        case .alsa(let name): "alsa:\(name)"
        case .jack: "jack"
        case .file(let path): path
        }
    }

    /// Reads a file into memory; nil for a sound device.
    /// - Parameter report: called with warnings about a file that can be used nevertheless.
    func clip(rate: Int, report: (String) -> Void) throws(MediaError) -> InputClip? {
        guard case .file(let path) = self else { return nil }
        let sound = try WholeSound(path: path, rate: rate, longest: Self.longest, purpose: "a file as live input")
        sound.warnings.forEach(report)
        return InputClip(interleaved: sound.interleaved)
    }
}
