internal import CALSA

/// An open capture device and what was agreed with it.
struct ALSAInput: Sendable {
    let device: ALSAHandle
    let setup: ALSASetup

    /// Opens and configures a device to record from, at the period of what is played.
    /// Throws when there is none, it is busy, or it has not that rate.
    init(_ name: String, rate: Int, period: Int) throws(DeviceError) {
        device = try ALSAHandle(name, direction: .capture)
        // More periods than are needed: what is recorded is taken as soon as it is there, the rest is for bad moments.
        let wanted = try DeviceFormat(rate: rate, period: period, periods: 4)
        setup = try ALSASetup(device, wanted)
        guard setup.period == period else {
            throw DeviceError(
                "The ALSA device \"\(name)\" records \(setup.period) frames at once, and \(period) are played. "
                    + "Ask for --period \(setup.period).")
        }
    }
}
