public import Parameters

/// State of supervised devices, as other threads see it.
public struct DeviceStatus: Equatable, Sendable {
    public var state = DeviceParameter.State.playing
    /// Whether a device that was selected is being opened, also while another one is lost.
    public var isChanging = false
    /// The device that plays, or the one that was lost.
    public var device: DeviceSpecification
    /// Frames of a block at present.
    public var period: Int
    /// Number of channels of that device.
    public var channels: Int
    /// Number of its sound card; nil for none.
    public var card: Int?
    /// Preferred devices, the best first; empty for the device of the start.
    public var order: [DeviceSpecification] = []
    /// Number of requests carried out since the start.
    public var requests = 0
    /// Reason why the device does not play, in words; empty while it does.
    public var problem = ""
    /// Frames that no device played, since the start.
    public var lostFrames: Int64 = 0
    /// Times that a device was lost, since the start.
    public var losses = 0
}
