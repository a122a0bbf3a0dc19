internal import CALSA
internal import Glibc

/// The names under which ALSA plays and records.
enum ALSANames {
    /// As ALSA lists them; names with arguments (`hw:0,0`) are understood beyond that.
    static func all(_ direction: ALSAHandle.Direction) -> [String] {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var names: [String] = []
        var next = hints
        while let hint = next.pointee {
            // A device without a direction has both.
            let other = direction == .playback ? "Input" : "Output"
            if text(hint, "IOID") != other, let name = text(hint, "NAME"), !names.contains(name) {
                names.append(name)
            }
            next += 1
        }
        return names
    }

    private static func text(_ hint: UnsafeMutableRawPointer, _ what: String) -> String? {
        guard let value = snd_device_name_get_hint(hint, what) else { return nil }
        defer { free(value) }
        return String(cString: value)
    }
}
