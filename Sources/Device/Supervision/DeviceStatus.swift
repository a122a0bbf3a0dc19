/// State of supervised devices, as other threads see it.
public struct DeviceStatus: Equatable, Sendable {
    public enum State: Int, Sendable, CaseIterable {
        /// The device plays.
        case playing
        /// The device was lost; the engine runs on the timer until a device can be opened.
        case lost
        /// Another device was selected and is being opened.
        case changing
    }

    public var state = State.playing
    /// The device that plays, or the one that was lost.
    public var device: DeviceSpecification
    /// Number of channels of that device.
    public var channels: Int
    /// Preferred devices, the best first; empty for the one of the start.
    public var order: [DeviceSpecification] = []
    /// Number of requests carried out since the start.
    public var requests = 0
    /// Why the device does not play, in words; empty while it does.
    public var problem = ""
    /// Frames that no device played, since the start.
    public var lostFrames: Int64 = 0
    /// Times that a device was lost, since the start.
    public var losses = 0
}
