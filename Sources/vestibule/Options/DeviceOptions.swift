import ArgumentParser
import Device

/// The sound device and its format.
struct DeviceOptions: ParsableArguments {
    @Option(
        help:
            "Sound output: timer (no sound card), alsa:NAME (see `vestibule devices`), or file:PATH (renders once, as fast as possible).")
    var device = "timer"

    @Option(help: "Sample rate, frames per second.")
    var rate = 48_000

    @Option(help: "Frames per block.")
    var period = 64

    @Option(help: "Blocks in a sound card's buffer.")
    var periods = 2

    /// - Throws: `DeviceError`.
    func specification() throws -> DeviceSpecification { try DeviceSpecification(device) }

    /// - Throws: `DeviceError`.
    func format() throws -> DeviceFormat { try DeviceFormat(rate: rate, period: period, periods: periods) }
}
