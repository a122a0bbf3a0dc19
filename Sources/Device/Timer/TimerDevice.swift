internal import CRealtime
public import Render

/// A device that renders at the pace of a sound card without having one, and discards the sound.
///
/// For machines whose listeners are all elsewhere. Block k begins k periods after the start and is heard one
/// period later. A block that ends after it should have been heard counts as an xrun; a renderer that is more
/// than eight periods late skips the missed blocks and continues with the clock.
public final class TimerDevice: AudioDevice {
    public let format: DeviceFormat
    /// Nothing is played, so every pair of channels is there.
    public var channels: Int { ChannelPair.mostChannels }
    private let occupied = Flag()

    public init(_ format: DeviceFormat) { self.format = format }

    public func start<Renderer: BlockRenderer & ~Copyable>(
        in slot: RendererSlot<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        let format = format
        return try DeviceRun(
            in: slot, name: "audio timer", live: true, occupied: occupied,
            blocks: { slot, stopping in
                var renderer = LiveRenderer(slot, frames: format.period, rate: format.rate, listeners: 1)
                var schedule = TimerSchedule(BlockGrid(start: rt_now(), format: format))
                while Self.sleep(until: schedule.begin, unless: stopping) {
                    let now = rt_now()
                    let leftOut = schedule.catchUp(at: now)
                    if leftOut > 0 {
                        renderer.count(xruns: leftOut)
                        continue
                    }
                    renderer.render(frames: format.period, at: BlockTime(begin: now, output: schedule.output))
                    let lost = schedule.finish(at: rt_now())
                    if lost > 0 { renderer.count(xruns: lost) }
                }
                return nil
            }, onEnd: onEnd)
    }

    /// Sleeps until a time; returns false when stopped. Sleeps in slices, so that a long period does not delay `stop`.
    private static func sleep(until deadline: UInt64, unless stopping: Flag) -> Bool {
        var now = rt_now()
        while now < deadline && !stopping.isRaised {
            realtime_sleep_until(min(deadline, now + 50_000_000))
            now = rt_now()
        }
        return !stopping.isRaised
    }
}
