public import Crossing
internal import DSP
internal import RenderCore

/// Live input from a device with its own clock, resampled to the renderer's by the thread that records it.
///
/// Gaps are faded: sound begins with a block that fades in, and ends with one that fades out.
public struct InputFeed: ~Copyable, Sendable {
    private var frames: FrameRing.Consumer
    private var live: LiveFeed
    /// Interleaved frames of a block.
    private let block: Rows
    private var level: Float = 0

    /// - Parameters:
    ///   - frames: interleaved stereo at the engine's rate.
    ///   - live: keeps the frames in step with the converter.
    ///   - period: largest block, frames.
    public init(frames: consuming FrameRing.Consumer, live: consuming LiveFeed, period: Int) {
        precondition(frames.channels == 2)
        self.frames = frames
        self.live = live
        block = Rows(rows: 1, length: 2 * (period + 8))
    }

    /// Reads a block into both sides.
    /// - Returns: false when there is nothing to be heard.
    @_noLocks @_noAllocation
    mutating func read(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames count: Int) -> Bool {
        let target: Float = live.waits(&frames, for: count, isSilent: level == 0) ? 0 : 1
        guard level > 0 || target > 0 else { return false }
        let samples = block.row(0)
        let got = frames.read(samples, frames: count)
        live.noteRead(got)
        let ramp = Ramp(from: level, to: target, frames: max(1, got))
        for frame in 0..<count {
            let gain = frame < got ? ramp.value(at: frame) : 0
            left[frame] = frame < got ? gain * samples[2 &* frame] : 0
            right[frame] = frame < got ? gain * samples[2 &* frame &+ 1] : 0
        }
        level = target
        return true
    }

    /// Time at which the first of the last `count` frames was at the converter, CLOCK_MONOTONIC nanoseconds; 0 while there are none.
    @_noLocks @_noAllocation
    mutating func captured(_ count: Int, at begin: UInt64, nanosecondsPerSample: Float) -> UInt64 {
        live.captured(count, at: begin, nanosecondsPerSample: nanosecondsPerSample)
    }
}
