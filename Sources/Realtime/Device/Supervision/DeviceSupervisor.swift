internal import CALSA
internal import CRealtime
public import Parameters
public import Render
internal import Synchronization

/// Keeps a renderer running: on the best device that can be opened, and on the timer while there is none.
///
/// A thread of its own notices within half a second that a device is lost, looks for it until it is back, and carries out
/// requests for another one. The sound of a device fades in and out. Blocks follow each other without a gap when the device is changed.
public final class DeviceSupervisor<Renderer: BlockRenderer & ~Copyable>: Sendable {
    /// Suggestions that would make dropouts less likely, one per line; empty for none.
    public let hints: [String]
    private let supervision: Supervision<Renderer>
    private let stopping = Flag()
    private let thread: RealtimeThread
    private let patience: DevicePatience

    /// Nanoseconds between two checks of the device.
    private static var interval: UInt64 { 5_000_000 }

    /// Starts a device that is open, or the timer in the place of an ``AbsentDevice``, which is looked for.
    ///
    /// - Parameters:
    ///   - report: called with losses, returns and refusals in words, on the supervisor's thread.
    public init(
        _ renderer: consuming Renderer, on device: any AudioDevice, as specification: DeviceSpecification,
        patience: DevicePatience = DevicePatience(), opener: @escaping DeviceOpener, report: @escaping @Sendable (String) -> Void
    ) throws(DeviceError) {
        self.patience = patience
        // ALSA would log every failed try to open a missing device.
        alsa_silence()
        let absence = (device as? AbsentDevice)?.reason
        let first = try SupervisedRun(
            device, absence == nil ? specification : .timer, isStandIn: absence != nil, in: RendererHolder(renderer), patience: patience)
        let supervision = Supervision(first, as: specification, absence: absence, opener: opener, report: report)
        let stopping = stopping
        thread = try RealtimeThread(name: "devices", raised: false) {
            while !stopping.isRaised {
                supervision.turn(now: rt_now())
                realtime_sleep_until(rt_now() + Self.interval)
            }
        }
        self.supervision = supervision
        hints = first.run.hints
    }

    public var status: DeviceStatus { supervision.status }

    /// Output times of the device that plays.
    public var timing: OutputTiming.Reading { supervision.timing }

    /// Plays on another device from now on, and prefers it. When it cannot be opened, the current one continues.
    public func select(_ device: DeviceSpecification) { supervision.request(.select(device)) }

    /// Plays on the best of these devices that can be opened; empty for the device of the start.
    public func prefer(_ order: [DeviceSpecification]) { supervision.request(.prefer(order)) }

    /// Ends the sound and returns the renderer; nil when a device's thread does not give it back in time.
    public func stop() -> Renderer? {
        stopping.raise()
        guard thread.join(within: patience.end) else { return nil }
        return supervision.end()
    }
}

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
