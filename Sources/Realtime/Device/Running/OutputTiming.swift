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
