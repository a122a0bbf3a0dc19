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

/// The channels and rates that an ALSA device offers for playing.
enum ALSAOffer {
    private static let rates: [UInt32] = [8000, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000]

    /// - Returns: nil when the device cannot be opened now.
    static func read(_ name: String) -> (channels: String, rates: String)? {
        var pcm: OpaquePointer?
        guard snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK) >= 0, let pcm else { return nil }
        defer { snd_pcm_close(pcm) }
        var parameters: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&parameters) >= 0 else { return nil }
        defer { snd_pcm_hw_params_free(parameters) }
        guard snd_pcm_hw_params_any(pcm, parameters) >= 0 else { return nil }
        let (low, high) = (least(parameters), most(parameters))
        let rates = rates.filter { snd_pcm_hw_params_test_rate(pcm, parameters, $0, 0) == 0 }
        return (low == high ? "\(low)" : "\(low) to \(high)", rates.map(String.init).joined(separator: ", "))
    }

    private static func least(_ parameters: OpaquePointer?) -> UInt32 {
        var value: UInt32 = 0
        snd_pcm_hw_params_get_channels_min(parameters, &value)
        return value
    }

    private static func most(_ parameters: OpaquePointer?) -> UInt32 {
        var value: UInt32 = 0
        snd_pcm_hw_params_get_channels_max(parameters, &value)
        return min(value, UInt32(ChannelPair.mostChannels))
    }
}
