internal import CRealtime

/// Interleaved frames into one row per channel.
public enum Deinterleave {
    /// - Parameters:
    ///   - input: frames `stride` samples apart, readable up to a multiple of 8 frames and 8 channels.
    ///   - rows: the first channel's row; the rows of channel k begin `k * rowStride` further and have room
    ///     for `frames` rounded up to 8.
    @_noLocks @_noAllocation
    public static func process(
        _ input: UnsafePointer<Float>, stride: Int, channels: Int, frames: Int,
        rows: UnsafeMutablePointer<Float>, rowStride: Int
    ) {
        var channel = 0
        while channel < channels {
            var frame = 0
            while frame < frames {
                rt_transpose8(
                    input + (frame &* stride &+ channel), stride, rows + (channel &* rowStride &+ frame), rowStride)
                frame = frame &+ 8
            }
            channel = channel &+ 8
        }
    }
}
