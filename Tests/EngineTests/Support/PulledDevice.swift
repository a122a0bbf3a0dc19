import CRealtime
import Dispatch
import Render

@testable import Device

/// A device that renders a block when the test asks for one, and keeps the latest block.
///
/// It can wait until a recording supplies the block without a dropout, as devices that write files do.
// SAFETY: the test's thread and the device's thread alternate in using the buffers, in the order of the two semaphores.
final class PulledDevice: AudioDevice, @unchecked Sendable {
    let format: DeviceFormat
    private(set) var left: [Float]
    private(set) var right: [Float]
    /// Whether to wait until the recording supplies the block.
    var waitsForRecording = false
    private let occupied = Flag()
    private let wanted = DispatchSemaphore(value: 0)
    private let rendered = DispatchSemaphore(value: 0)

    let channels: Int

    init(rate: Int = 48_000, period: Int = 64, channels: Int = 2) throws {
        self.channels = channels
        format = try DeviceFormat(rate: rate, period: period)
        left = .init(repeating: 0, count: period)
        right = left
    }

    func start<Renderer: BlockRenderer & ~Copyable>(
        in slot: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        try DeviceRun(
            in: slot, name: "pulled", live: false, occupied: occupied,
            loop: { [self] renderer, stopping in
                let ears = EarBuffers(frames: format.period)
                while !stopping.isRaised {
                    guard wanted.wait(timeout: .now() + .milliseconds(1)) == .success else { continue }
                    while waitsForRecording, !renderer.pointee.isReady, !stopping.isRaised { realtime_sleep_until(rt_now() + 50_000) }
                    let now = rt_now()
                    ears.render(renderer, frames: format.period, at: BlockTime(begin: now, output: now + format.blockDuration))
                    for frame in left.indices { (left[frame], right[frame]) = (ears.left[frame], ears.right[frame]) }
                    rendered.signal()
                }
                return nil
            }, onEnd: onEnd)
    }

    /// Renders the next block.
    func pull() {
        wanted.signal()
        guard rendered.wait(timeout: .now() + 60) == .success else { fatalError("no block was rendered for 60 s") }
    }
}
