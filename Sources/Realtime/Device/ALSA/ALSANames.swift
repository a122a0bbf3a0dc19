internal import CALSA
internal import Glibc

/// Names of ALSA's playback and capture devices.
enum ALSANames {
    /// Names as ALSA lists them; names with arguments (`hw:0,0`) are accepted too.
    static func all(_ direction: ALSAHandle.Direction) -> [String] {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var names: [String] = []
        var next = hints
        while let hint = next.pointee {
            // A device without a direction supports both.
            let other = direction == .playback ? "Input" : "Output"
            if text(hint, "IOID") != other, let name = text(hint, "NAME"), !names.contains(name) {
                names.append(name)
            }
            next += 1
        }
        return names
    }

    /// ALSA's description of a name, in one line.
    static func summary(_ wanted: String) -> String {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return "" }
        defer { snd_device_name_free_hint(hints) }
        var next = hints
        while let hint = next.pointee {
            if text(hint, "NAME") == wanted {
                return (text(hint, "DESC") ?? "").split(separator: "\n").joined(separator: ", ")
            }
            next += 1
        }
        return ""
    }

    private static func text(_ hint: UnsafeMutableRawPointer, _ what: String) -> String? {
        guard let value = snd_device_name_get_hint(hint, what) else { return nil }
        defer { free(value) }
        return String(cString: value)
    }
}
