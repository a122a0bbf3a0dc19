internal import CRealtime

/// A finite impulse response whose taps are several samples apart, for signals far below the highest frequency.
public enum StridedFilter {
    /// Computes `output[i]` as the sum of `taps[k] * input[i + k * stride]`; overwrites whole ``Lanes``.
    ///
    /// - Parameters:
    ///   - input: readable for `frames` and all taps, up to whole ``Lanes``.
    ///   - count: number of taps.
    @_noLocks @_noAllocation
    public static func process(
        _ input: UnsafePointer<Float>, stride: Int, taps: UnsafePointer<Float>, count: Int, frames: Int,
        output: UnsafeMutablePointer<Float>
    ) {
        var frame = 0
        while frame &+ 3 &* laneCount < frames {
            var (y0, y1, y2, y3) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
            for k in 0..<count {
                let x = input + (frame &+ k &* stride)
                let tap = Lanes(repeating: taps[k])
                y0 = rt_fma16(x.lanes(0), tap, y0)
                y1 = rt_fma16(x.lanes(16), tap, y1)
                y2 = rt_fma16(x.lanes(32), tap, y2)
                y3 = rt_fma16(x.lanes(48), tap, y3)
            }
            output.setLanes(frame, y0)
            output.setLanes(frame &+ 16, y1)
            output.setLanes(frame &+ 32, y2)
            output.setLanes(frame &+ 48, y3)
            frame = frame &+ 4 &* laneCount
        }
        while frame < frames {
            var y = Lanes.zero
            for k in 0..<count { y = rt_fma16(input.lanes(frame &+ k &* stride), Lanes(repeating: taps[k]), y) }
            output.setLanes(frame, y)
            frame = frame &+ laneCount
        }
    }
}
