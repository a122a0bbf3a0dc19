/// The sound device: its state, and the choice of another one.
public enum DeviceParameter: Int, ParameterGroup {
    case name, available, select, order, state, problem, lost, losses, delay, residual, jumps, channels

    public static let container = "/engine/device"
    public static let summary = "The sound device: its state, loss and return, and the choice of another one."
    public static var topic: Topic? { .engine }

    /// States of the device.
    public enum State: String, NamedChoice {
        /// The device plays.
        case playing
        /// The device was lost; the engine runs on the timer until a device can be opened.
        case lost
        /// Another device was selected and is being opened.
        case changing
    }

    public var spec: ParameterSpec {
        switch self {
        case .name:
            .text(
                "Device", "Sound device in use, or the one that was lost; the timer, or a file.", access: .read,
                role: .deviceName)
        case .available:
            .text(
                "Available devices",
                "Devices that can be selected, one per line: name, description, numbers of channels and rates, separated by tabs. "
                    + "Channels and rates are empty while a device cannot be opened.", access: .read, role: .deviceAvailable)
        case .select:
            .text(
                "Select device",
                "Name of an available device. The sound fades over to it; if it cannot be opened, the current device stays.",
                role: .deviceSelect
            ).limited(to: 256).kept(.nothing)
        case .order:
            .text(
                "Preferred devices",
                "Names of devices, one per line, in order of preference: the first one that can be opened plays. Empty for the device "
                    + "given at the start.", role: .deviceOrder
            ).kept(.session)
        case .state:
            .choice(
                "Device state", State.names,
                "playing; lost while the engine runs without the device and looks for it; changing while a selected device is opened.",
                access: .read, role: .deviceState)
        case .problem:
            .text(
                "Device problem", "Reason why the device does not play, and what to do; empty while it plays.", access: .read,
                role: .deviceProblem
            )
        case .lost:
            .counter("Lost frames", "Number of frames that no device played, since the start.", role: .deviceLost)
        case .losses: .counter("Losses", "Number of times that the device was lost, since the start.", role: .deviceLosses)
        case .delay:
            .gauge(
                "Output delay", 0...10_000, unit: .millisecond,
                "Mean time from the start of a block's rendering until its first sample leaves the converter, reported or calibrated "
                    + "(see /latency/source); 0 without a sound card.", role: .deviceDelay)
        case .residual:
            .gauge(
                "Output jitter", 0...10_000, unit: .millisecond,
                "Root mean square of the differences between the output times that the driver reports and the line fitted to them.",
                role: .deviceResidual)
        case .jumps:
            .counter(
                "Implausible times",
                "Number of reported output times that were excluded from the fit, since the device was opened.",
                role: .deviceJumps)
        case .channels: .counter("Device channel count", "Number of channels that listeners can be played on.", role: .deviceChannels)
        }
    }
}
