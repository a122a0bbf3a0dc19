package import Device

/// The live microphone array that an engine is made with.
package struct LiveArrayOption: Sendable {
    package let source: ArrayInput
    /// Channels of the microphones; nil for all that the source has.
    package let channels: ArrayChannels?
    /// Path of the file with the positions of the microphones; nil for the one beside a sound file, or evenly spaced microphones.
    package let sidecar: String?
    /// Whether the array's card has the clock of the device that plays.
    package let clock: InputClock

    package init(source: ArrayInput, channels: ArrayChannels?, sidecar: String?, clock: InputClock = .auto) {
        (self.source, self.channels, self.sidecar, self.clock) = (source, channels, sidecar, clock)
    }

    /// The array as the playing device records it in the same blocks; nil when it has a source of its own.
    package func recorded(by device: DeviceSpecification) -> DeviceArray? {
        guard case .jack(let client) = source, case .jack = device else { return nil }
        return DeviceArray(client: client, channels: channels)
    }
}
