/// A live array that the playing device records as well, in the same blocks.
public struct DeviceArray: Equatable, Sendable {
    /// The client whose ports are recorded; nil for the inputs of the sound card.
    public let client: String?
    /// The channels of the microphones; nil for all inputs.
    public let channels: ArrayChannels?

    public init(client: String?, channels: ArrayChannels?) {
        self.client = client
        self.channels = channels
    }
}
