import Device
import Hub

/// The parts that concern sound devices: the one that plays, its channels, and the one that records the live input.
struct DeviceParts {
    let playing: DeviceController
    let outputs: OutputController
    /// Nil when the device that plays records the live input too.
    let input: OwnInput?

    init(
        _ options: EngineOptions, hub: Hub, device: any AudioDevice, input: OwnInput?, report: @escaping @Sendable (String) -> Void
    ) {
        playing = DeviceController(hub: hub, device: device, exchange: options.exchange, report: report)
        outputs = OutputController(
            hub: hub, routes: options.outputs ?? OutputRoutes(listeners: options.listeners), channels: { [playing] in playing.channels })
        self.input = input
    }
}
