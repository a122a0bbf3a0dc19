package import Device

/// The live microphone array that an engine is made with.
package struct LiveArrayOption: Sendable {
    package let source: ArrayInput
    /// Channels of the microphones; nil for all that the source has.
    package let channels: ArrayChannels?
    /// Path of the file with the positions of the microphones; nil for the one beside a sound file, or evenly spaced microphones.
    package let sidecar: String?

    package init(source: ArrayInput, channels: ArrayChannels?, sidecar: String?) {
        (self.source, self.channels, self.sidecar) = (source, channels, sidecar)
    }

    /// The array as the playing device records it in the same blocks; nil when it has a source of its own.
    package func recorded(by device: DeviceSpecification) -> DeviceArray? {
        guard case .jack(let client) = source, case .jack = device else { return nil }
        return DeviceArray(client: client, channels: channels)
    }
}
