public import Render

/// Caller of the renderer: owns a thread and, while it runs, the renderer.
public protocol AudioDevice: AnyObject, Sendable {
    /// The format in use, which may differ from the requested one; the renderer is made for it.
    var format: DeviceFormat { get }
    /// Frames of a block at present: JACK's server may change them while the device plays. Thread-safe.
    var period: Int { get }
    /// Number of output channels that listeners can be played on.
    var channels: Int { get }
    /// Output times of the blocks; nil for a device that keeps a schedule of its own.
    var timing: OutputTiming? { get }
    /// The channels of a live array that the device records in the same blocks, counted from 1; empty without one.
    var arrayChannels: [Int] { get }

    /// Number of the sound card whose clock the device has; nil for none, as with a sound server.
    var card: Int? { get }
    /// Reason why the device is not heard although it asks for sound, in words; empty while it is. Thread-safe.
    var problem: String { get }

    /// Starts a thread that renders until stopped, with the renderer that is in `holder` or comes into it; without one a live device is
    /// silent.
    ///
    /// Only one run at a time; another may be started after it has ended.
    ///
    /// - Parameter onEnd: called once, on the device's thread, when the device ends by itself: with nil when
    ///   everything is rendered, otherwise with the reason. Not called after ``DeviceRun/stop()``, which it must
    ///   not call itself.
    func start<Renderer: BlockRenderer & ~Copyable>(
        in holder: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer>

    /// Lets a device that waits for it render the first block; has no effect on others. Thread-safe.
    func release()
}

extension AudioDevice {
    public func release() {}

    /// Duration of a block at present in nanoseconds, rounded down.
    var blockDuration: UInt64 { UInt64(period) * 1_000_000_000 / UInt64(format.rate) }

    /// Moves `renderer` to a new thread and renders until stopped, as ``start(in:onEnd:)`` does.
    public func start<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: consuming Renderer, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> { try start(in: RendererHolder(renderer), onEnd: onEnd) }

    public var period: Int { format.period }
    public var channels: Int { 2 }
    public var timing: OutputTiming? { nil }
    public var arrayChannels: [Int] { [] }
    public var card: Int? { nil }
    public var problem: String { "" }
}
