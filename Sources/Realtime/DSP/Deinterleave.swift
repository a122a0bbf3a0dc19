internal import CRealtime

/// Converts interleaved frames to one row per channel.
public enum Deinterleave {
    /// - Parameters:
    ///   - input: frames `stride` samples apart, readable up to a multiple of 8 frames and 8 channels.
    ///   - rows: row of the first channel; the row of channel k begins `k * rowStride` samples later and has room for
    ///     `frames` rounded up to 8.
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
