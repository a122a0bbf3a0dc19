package import Device

/// A device that can be exchanged while the engine runs.
package struct DeviceExchange: Sendable {
    /// The initial device.
    let device: DeviceSpecification
    /// Opens another device at the engine's rate.
    let opener: DeviceOpener

    package init(device: DeviceSpecification, opener: @escaping DeviceOpener) {
        self.device = device
        self.opener = opener
    }
}
