extension ArrayInput {
    /// Checks that an array and a live input can be recorded at once: hardware is opened by one of them only.
    /// - Throws: ``DeviceError`` that explains how both can be recorded.
    public func check(beside input: DeviceInput?) throws(DeviceError) {
        guard case .alsa(let array) = self, case .alsa(let other) = input, let card = Self.hardware(array), card == Self.hardware(other)
        else { return }
        throw DeviceError(
            "The array and the live input cannot both open alsa:\(array), a hardware device that can be opened only once. Record both by "
                + "JACK (--array jack --input jack --device jack), by ALSA's dsnoop (--array alsa:dsnoop:\(card) "
                + "--input alsa:dsnoop:\(card)), or from two cards.")
    }

    /// The card of a name that opens hardware: `1,0` of `hw:1,0` and of `plughw:1,0`; nil for other names.
    private static func hardware(_ name: String) -> Substring? {
        let parts = name.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, ["hw", "plughw"].contains(parts[0]) else { return nil }
        return parts[1].hasSuffix(",0") ? parts[1].dropLast(2) : parts[1]
    }
}
