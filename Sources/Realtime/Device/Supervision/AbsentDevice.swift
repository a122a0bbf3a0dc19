public import Render

/// The timer in the place of a device that is not there at the start. Its supervisor looks for the device.
public final class AbsentDevice: AudioDevice {
    /// Reason why the device cannot be used.
    public let reason: DeviceError
    private let timer: TimerDevice

    public var format: DeviceFormat { timer.format }
    public var channels: Int { timer.channels }

    /// - Parameter format: of the renderer, which the device has to have when it comes.
    public init(_ format: DeviceFormat, reason: DeviceError) { (timer, self.reason) = (TimerDevice(format), reason) }

    public func start<Renderer: BlockRenderer & ~Copyable>(
        in holder: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> { try timer.start(in: holder, onEnd: onEnd) }
}
