internal import CRealtime
internal import Render
internal import Synchronization
internal import Threads

/// How long a supervisor waits for a device before it acts, in nanoseconds.
public struct DevicePatience: Sendable {
    /// Time without a block after which the device counts as lost, unless its blocks are long.
    public let silence: UInt64
    /// Time without a first block after which a device that was opened is given up.
    public let start: UInt64
    /// Longest wait for the supervisor's own thread at the end.
    public let end: UInt64

    public init(silence: UInt64 = 400_000_000, start: UInt64 = 2_000_000_000, end: UInt64 = 1_000_000_000) {
        (self.silence, self.start, self.end) = (silence, start, end)
    }
}

/// A device that a supervisor plays on, or that begins to play.
struct SupervisedRun<Renderer: BlockRenderer & ~Copyable>: Sendable {
    let specification: DeviceSpecification
    /// Whether it is the timer instead of a device that was lost.
    let isStandIn: Bool
    let device: any AudioDevice
    let run: DeviceRun<Renderer>
    /// CLOCK_MONOTONIC nanoseconds.
    let began: UInt64
    let patience: DevicePatience
    private let ending: Ending

    /// Nanoseconds without a block after which the timer renders in the device's place until it asks again, unless its blocks or its
    /// buffer are long.
    private static var longestPause: UInt64 { 60_000_000 }

    /// Starts a device.
    init(
        _ device: any AudioDevice, _ specification: DeviceSpecification, isStandIn: Bool = false, in holder: RendererHolder<Renderer>,
        patience: DevicePatience
    ) throws(DeviceError) {
        let ending = Ending()
        run = try device.start(in: holder) { ending.end($0) }
        (self.device, self.specification, self.isStandIn, self.patience) = (device, specification, isStandIn, patience)
        (self.ending, began) = (ending, rt_now())
    }

    /// Whether the device has asked for blocks.
    var isRunning: Bool { run.newestBlock > 0 }

    /// The time of the newest block, or of the start.
    var newestBlock: UInt64 { max(began, run.newestBlock) }

    /// The reason why the device has ended by itself.
    var failure: DeviceError? { ending.failure }

    /// The reason why the device no longer plays; nil while it does.
    func loss(now: UInt64) -> DeviceError? {
        // The timer cannot be lost.
        guard specification != .timer else { return nil }
        if let failure { return failure }
        guard now > newestBlock + max(patience.silence, 4 * device.blockDuration) else { return nil }
        return DeviceError("The device \(specification) no longer requests sound: its driver or its sound server does not respond.")
    }

    /// Whether the device has not asked for a block for so long that listeners on the network would miss some.
    func isPausing(now: UInt64) -> Bool {
        guard specification != .timer, isRunning else { return false }
        let buffer = UInt64(device.format.periods) * device.blockDuration
        return now > newestBlock + max(Self.longestPause, 4 * device.blockDuration, 2 * buffer)
    }

    /// Ends the run on its own thread, after it has played its buffer.
    func retire() -> Retirement {
        let buffer = UInt64(device.format.periods) * device.blockDuration
        return Retirement(device, delay: max(20_000_000, buffer)) { [run] in run.end() }
    }

    /// Stores the reason why a run has ended by itself.
    private final class Ending: Sendable {
        private let reason = Mutex<DeviceError?>(nil)
        var failure: DeviceError? { reason.withLock { $0 } }
        func end(_ error: DeviceError?) { reason.withLock { $0 = error ?? DeviceError("The device has ended.") } }
    }
}

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
