import CRealtime
import Dispatch
import Render
import Synchronization

@testable import Device

/// A device that renders a block when it is asked to, and fails when it is asked to.
final class FuzzedDevice: AudioDevice, Sendable {
    private enum Order { case none, block, failure }

    let format: DeviceFormat
    private let occupied = Flag()
    private let order = Mutex(Order.none)
    private let wanted = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    private let running = Flag()

    init() throws { format = try DeviceFormat(rate: 48_000, period: 64) }

    func start<Renderer: BlockRenderer & ~Copyable>(
        in slot: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        running.raise()
        return try DeviceRun(
            in: slot, name: "fuzzed", live: false, occupied: occupied,
            loop: { [self] renderer, stopping in
                let ears = EarBuffers(frames: format.period)
                while !stopping.isRaised {
                    guard wanted.wait(timeout: .now() + .milliseconds(1)) == .success else { continue }
                    let isFailure = order.withLock { $0 == .failure }
                    if !isFailure {
                        let now = rt_now()
                        ears.render(renderer, frames: format.period, at: BlockTime(begin: now, output: now + format.blockDuration))
                    }
                    done.signal()
                    if isFailure { return DeviceError("The device is gone.") }
                }
                return nil
            }, onEnd: onEnd)
    }

    private func ask(_ new: Order) {
        guard running.isRaised else { return }
        order.withLock { $0 = new }
        wanted.signal()
        done.wait()
        if new == .failure { running.lower() }
    }

    /// Renders a block, unless it has failed.
    func pull() { ask(.block) }

    /// Ends the run with an error.
    func fail() { ask(.failure) }
}
