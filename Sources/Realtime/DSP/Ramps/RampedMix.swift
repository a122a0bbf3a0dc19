internal import CRealtime

/// A weighted sum of rows with weights that change linearly over one block.
public enum RampedMix {
    /// Computes the sum; `output` is overwritten.
    ///
    /// - Parameters:
    ///   - rows: first sample of each row; each is readable up to whole ``Lanes``.
    ///   - from, to: weight of each row just before the first frame and at the last one.
    ///   - count: number of rows.
    ///   - frames: at most the length of the rows.
    @_noLocks @_noAllocation
    public static func process(
        rows: UnsafePointer<UnsafePointer<Float>>, from: UnsafePointer<Float>, to: UnsafePointer<Float>, count: Int,
        frames: Int, output: UnsafeMutablePointer<Float>
    ) {
        let step = 1 / Float(frames)
        let steps = Ramp.count * step
        // One sum has the initial weights, the other their changes over the block; the latter is multiplied by a ramp
        // from 0 to 1, which is the same for all rows.
        var frame = 0
        while frame &+ laneCount < frames {
            var (y0, y1, change0, change1) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
            for i in 0..<count {
                let x = rows[i] + frame
                let base = Lanes(repeating: from[i])
                let slope = Lanes(repeating: to[i] - from[i])
                y0 = rt_fma16(x.lanes(0), base, y0)
                y1 = rt_fma16(x.lanes(16), base, y1)
                change0 = rt_fma16(x.lanes(0), slope, change0)
                change1 = rt_fma16(x.lanes(16), slope, change1)
            }
            output.setLanes(frame, rt_fma16(change0, steps + Float(frame) * step, y0))
            output.setLanes(frame &+ 16, rt_fma16(change1, steps + Float(frame &+ 16) * step, y1))
            frame = frame &+ 2 &* laneCount
        }
        guard frame < frames else { return }
        var (y, change) = (Lanes.zero, Lanes.zero)
        for i in 0..<count {
            let x = rows[i].lanes(frame)
            y = rt_fma16(x, Lanes(repeating: from[i]), y)
            change = rt_fma16(x, Lanes(repeating: to[i] - from[i]), change)
        }
        output.setLanes(frame, rt_fma16(change, steps + Float(frame) * step, y))
    }
}
