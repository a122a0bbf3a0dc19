internal import CRealtime
internal import Render
internal import Threads

/// Closes a device that is no longer used, on its own thread, because a driver may take any time to close it.
final class Retirement: Sendable {
    private let done = Flag()

    /// - Parameters:
    ///   - end: ends the device's run.
    ///   - delay: nanoseconds before that, in which the device plays what it has buffered.
    init(_ device: any AudioDevice, delay: UInt64 = 0, end: @escaping @Sendable () -> Void = {}) {
        let remains = Remains(device, end)
        let work = { @Sendable [done] in
            realtime_sleep_until(rt_now() + delay)
            remains.clear()
            done.raise()
        }
        do throws(ThreadError) { _ = try ProgramThread("device end", body: work) } catch { SpareThread.run(instead: error, work) }
    }

    /// Whether the device is closed.
    var isDone: Bool { done.isRaised }

    /// The device and its run, until they are released.
    // SAFETY: only the retirement's thread uses it after the initialiser.
    private final class Remains: @unchecked Sendable {
        private var device: (any AudioDevice)?
        private var end: (@Sendable () -> Void)?

        init(_ device: any AudioDevice, _ end: @escaping @Sendable () -> Void) {
            self.device = device
            self.end = end
        }

        func clear() {
            end?()
            end = nil
            device = nil
        }
    }
}
