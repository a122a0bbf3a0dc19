import ArgumentParser
import Device

/// The sound device and its format.
struct DeviceOptions: ParsableArguments {
    @Option(
        name: .customLong("device"),
        help:
            """
            Sound output: timer (no sound card), alsa:NAME (see `vestibule devices`), jack[:CLIENT], or file:PATH (renders once, as fast \
            as possible). Default: timer.
            """)
    var chosenDevice: String?

    var device: String { chosenDevice ?? "timer" }

    @Option(help: "Sample rate, frames per second; a JACK server has its own.")
    var rate = DeviceFormat.standardRate

    @Option(help: "Frames per block; a JACK server has its own.")
    var period = 64

    @Option(help: "Blocks in a sound card's buffer.")
    var periods = 2

    @Option(help: "Channels to open a sound card with (default: as many as --output needs, at least 2).")
    var channels: Int?

    func validate() throws {
        guard let channels, !(2...ChannelPair.mostChannels).contains(channels) else { return }
        throw ValidationError("--channels \(channels): give a number from 2 to \(ChannelPair.mostChannels).")
    }

    /// - Throws: `DeviceError`.
    func specification() throws -> DeviceSpecification { try DeviceSpecification(device) }

    /// - Throws: `DeviceError`.
    func format() throws -> DeviceFormat { try DeviceFormat(rate: rate, period: period, periods: periods) }
}
