internal import CALSA

/// An open capture device and its configuration.
struct ALSAInput: Sendable {
    let device: ALSAHandle
    let setup: ALSASetup

    /// Opens and configures a capture device with the period of playback.
    /// Throws when there is none, it is busy, or it does not have that rate.
    init(_ name: String, rate: Int, period: Int) throws(DeviceError) {
        device = try ALSAHandle(name, direction: .capture)
        // More periods than needed: recorded frames are read as soon as they arrive, and the rest is a reserve.
        let wanted = try DeviceFormat(rate: rate, period: period, periods: 4)
        setup = try ALSASetup(device, wanted)
        guard setup.period == period else {
            throw DeviceError(
                "The ALSA device \"\(name)\" records with a period of \(setup.period) frames, but the playback period is \(period). "
                    + "Ask for --period \(setup.period).")
        }
    }
}
