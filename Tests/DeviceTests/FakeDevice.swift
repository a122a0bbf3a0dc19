import CRealtime
import Render
import Synchronization

@testable import Device

/// A live device of blocks of 1 ms that a test makes fail or hang, and whose sound it can look at.
final class FakeDevice: AudioDevice {
    let format: DeviceFormat
    /// Raised: the device fails, no longer asks for blocks, never returns.
    let failing = Flag()
    let silent = Flag()
    let closed = Flag()
    private let occupied = Flag()
    /// Blocks of a renderer, not of silence in place of one.
    let rendered = BlockCount()
    /// Raised: not heard.
    let isUnheard = Flag()
    /// Raised: the blocks have another length than at the start.
    let isLong = Flag()
    var period: Int { isLong.isRaised ? 96 : format.period }
    var problem: String { isUnheard.isRaised ? "The fake card has left." : "" }

    /// - Parameter isPatient: whether its buffer passes for one of two seconds, so that pauses of the machine are none of the device.
    init(silent isSilent: Bool = false, isPatient: Bool = false) throws {
        format = isPatient ? try DeviceFormat(rate: 8000, period: 256, periods: 64) : try DeviceFormat(rate: 48_000, period: 48)
        if isSilent { silent.raise() }
    }

    deinit { closed.raise() }

    func start<Renderer: BlockRenderer & ~Copyable>(
        in holder: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        let (failing, silent, format, rendered) = (failing, silent, format, rendered)
        return try DeviceRun(
            in: holder, name: "fake", live: true, occupied: occupied,
            blocks: { holder, stopping in
                var renderer = LiveRenderer(holder, frames: format.period, rate: format.rate, listeners: 1)
                while !stopping.isRaised || silent.isRaised {
                    if failing.isRaised { return DeviceError("The fake device was unplugged.") }
                    let now = rt_now()
                    if !silent.isRaised {
                        if !holder.isEmpty { rendered.blocks.add(1, ordering: .relaxed) }
                        renderer.render(frames: format.period, at: BlockTime(begin: now, output: now))
                    }
                    realtime_sleep_until(now + 1_000_000)
                }
                return nil
            }, onEnd: onEnd)
    }
}

/// A count that the device's thread raises.
final class BlockCount: Sendable {
    let blocks = Atomic(0)
}
