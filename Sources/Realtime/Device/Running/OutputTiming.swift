internal import CRealtime
internal import Synchronization

/// Output times of a device, written by its thread and read by others.
public final class OutputTiming: Sendable {
    /// The origin of output times.
    public enum Source: Int, Sendable, CaseIterable {
        /// Scheduled by the engine itself.
        case exact
        /// Reported by the driver or the sound server.
        case reported
        /// Measured externally (`vestibule measure`).
        case calibrated
    }

    public struct Reading: Equatable, Sendable {
        public var source = Source.exact
        /// Mean time from the start of a block's rendering until its first frame leaves the converter, milliseconds.
        public var delay = 0.0
        /// Root mean square of the differences between the driver's times and their fit, milliseconds.
        public var residual = 0.0
        /// Times reported by the driver and rejected as implausible, since the device was opened.
        public var jumps = 0

        /// For a device that keeps a schedule of its own.
        public init() {}
    }

    let source: Source
    private let delay = Atomic<Int64>(0)
    private let residual = Atomic<Int64>(0)
    private let jumps = Atomic<Int>(0)

    init(_ source: Source) { self.source = source }

    @_noLocks @_noAllocation
    func set(delay: Int64, residual: Int64, jumps: Int) {
        self.delay.store(delay, ordering: .relaxed)
        self.residual.store(residual, ordering: .relaxed)
        self.jumps.store(jumps, ordering: .relaxed)
    }

    public var reading: Reading {
        var reading = Reading()
        reading.source = source
        reading.delay = Double(delay.load(ordering: .relaxed)) / 1e6
        reading.residual = Double(residual.load(ordering: .relaxed)) / 1e6
        reading.jumps = jumps.load(ordering: .relaxed)
        return reading
    }
}

/// Output times of a device's blocks: the reported ones, or a measured delay after the blocks' starts.
///
/// On a calibrated device, the mean time from the start of a block to its output is the measured one, whatever the driver reports: the fill
/// level of the buffers on the way does not change from run to run. For the audio thread only.
struct OutputClock {
    private let timing: OutputTiming
    /// Measured delay in nanoseconds from the start of a block.
    private let calibrated: UInt64?
    private var starts: FrameClock
    private var reports: FrameClock
    /// Frames since the start of the device, at most those of ``settling``.
    private var played = 0
    private let settling: Int

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - calibrated: measured delay in nanoseconds from the start of a block's rendering to its output; nil where there is none.
    init(rate: Int, calibrated: UInt64?, _ timing: OutputTiming) {
        self.timing = timing
        self.calibrated = calibrated
        starts = FrameClock(rate: rate)
        reports = FrameClock(rate: rate)
        // A device that has just been started still fills its buffers.
        settling = rate / 2
    }

    /// Begins again after a restart of the device.
    mutating func restart() {
        starts.restart()
        reports.restart()
        played = 0
    }

    /// Returns the time at which the next frame leaves the converter, CLOCK_MONOTONIC nanoseconds.
    ///
    /// - Parameters:
    ///   - begin: start of the block's rendering.
    ///   - reported: the output time reported by the driver.
    ///   - frames: frames since the block before.
    mutating func output(begin: UInt64, reported: UInt64, frames: Int) -> UInt64 {
        guard played >= settling else {
            played += frames
            return max(begin, calibrated.map { begin + $0 } ?? reported)
        }
        let (start, report) = (starts.fit(begin, after: frames), reports.fit(reported, after: frames))
        let output = max(begin, calibrated.map { start + $0 } ?? reported)
        timing.set(
            delay: calibrated.map { Int64(clamping: $0) } ?? Int64(bitPattern: report &- start),
            residual: Int64(clamping: reports.residual), jumps: reports.jumps)
        return output
    }
}

/// Measured delays of devices from the start of a block's rendering to its output.
public struct OutputDelays: Equatable, Sendable {
    /// A device with the settings on which its delay depends, as agreed with its driver.
    public struct Key: Hashable, Sendable {
        public let device: DeviceSpecification
        /// Frames per second, per block, and in the device's buffer.
        public let rate, period, buffer: Int

        public init(_ device: DeviceSpecification, rate: Int, period: Int, buffer: Int) {
            (self.device, self.rate, self.period, self.buffer) = (device, rate, period, buffer)
        }

        public init(_ device: DeviceSpecification, _ format: DeviceFormat) {
            self.init(device, rate: format.rate, period: format.period, buffer: format.period * format.periods)
        }
    }

    /// Largest delay in milliseconds.
    public static let longest = 10_000.0

    /// Milliseconds.
    public private(set) var milliseconds: [Key: Double] = [:]

    public init() {}

    public subscript(key: Key) -> Double? {
        get { milliseconds[key] }
        set { milliseconds[key] = newValue.map { min(max($0, 0), Self.longest) } }
    }

    /// Nanoseconds; nil where nothing was measured.
    func nanoseconds(_ device: DeviceSpecification, _ format: DeviceFormat) -> UInt64? {
        self[Key(device, format)].map { UInt64(clamping: $0 * 1e6) }
    }
}
