internal import CRealtime

/// A row delayed by a fraction of a sample, which may move within the block by less than the next whole sample.
public enum DelayedRow {
    /// Computes `output[i]` as the sum of `weights[k] * input[i - k]`; overwrites whole ``Lanes``.
    ///
    /// - Parameters:
    ///   - input: readable from ``FractionalTap/count`` samples before the first on.
    ///   - from, to: weights just before the first frame and at the last one.
    @_noLocks @_noAllocation
    public static func process(
        _ input: UnsafePointer<Float>, from: SIMD8<Float>, to: SIMD8<Float>, frames: Int, output: UnsafeMutablePointer<Float>
    ) {
        let slopes = to - from
        let isSteady = from == to
        let step = 1 / Float(frames)
        let steps = Ramp.count * step
        var frame = 0
        while frame < frames {
            var (y, change) = (Lanes.zero, Lanes.zero)
            for k in 0..<8 { y = rt_fma16(input.lanes(frame &- k), rt_all16(from[k]), y) }
            if !isSteady {
                for k in 0..<8 { change = rt_fma16(input.lanes(frame &- k), rt_all16(slopes[k]), change) }
                y = rt_fma16(change, steps + Float(frame) * step, y)
            }
            output.setLanes(frame, y)
            frame = frame &+ laneCount
        }
    }
}
