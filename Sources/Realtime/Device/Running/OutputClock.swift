internal import CRealtime

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
