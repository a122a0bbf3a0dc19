import ArgumentParser
import Device
import Engine

/// The live microphone array.
struct ArrayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Live microphone array that plays instead of a recording (hear-through): alsa:NAME, jack[:CLIENT], or file:PATH (a sound \
            file that is fed in real time, in a loop).
            """, valueName: "source"))
    var array: String?

    @Option(
        name: .customLong("array-channels"),
        help: ArgumentHelp(
            "Channels of the array's microphones in order, 4 to 64 of them: 1,2,5-18 (default: all channels of the source).",
            valueName: "list"))
    var channels: String?

    @Option(
        name: .customLong("array-sidecar"),
        help: ArgumentHelp(
            "JSON file with the positions of the microphones, as beside a recording (default: the one beside a sound file).",
            valueName: "path"))
    var sidecar: String?

    @Option(
        name: .customLong("array-clock"),
        help: ArgumentHelp(
            """
            Clock of the sound card of --array: same as that of the device, so that both move together; own, so that the array is \
            resampled; auto: same for one name and for two names of one card.
            """, valueName: "clock"))
    var clock = InputClock.auto

    func validate() throws {
        guard clock == .auto || array?.hasPrefix("alsa:") == true else {
            throw ValidationError("--array-clock \(clock.rawValue) needs --array alsa:NAME.")
        }
        guard array == nil else { return }
        for (name, value) in [("--array-channels", channels), ("--array-sidecar", sidecar)] where value != nil {
            throw ValidationError("\(name) describes a live array: add --array.")
        }
    }

    /// - Throws: `DeviceError` that states the notation.
    func option() throws -> LiveArrayOption? {
        guard let array else { return nil }
        return LiveArrayOption(
            source: try ArrayInput(array), channels: try channels.map { try ArrayChannels($0) }, sidecar: sidecar, clock: clock)
    }

    /// Files that are read.
    var inputs: [String] { [array.flatMap { $0.hasPrefix("file:") ? String($0.dropFirst(5)) : nil }, sidecar].compactMap(\.self) }
}
