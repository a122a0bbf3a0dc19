internal import CRealtime

/// A weighted sum of rows whose weights walk in a straight line over the block.
public enum RampedMix {
    /// Adds nothing to what was there: `output` is overwritten.
    ///
    /// - Parameters:
    ///   - rows: first sample of each row that takes part; each readable up to whole ``Lanes``.
    ///   - from, to: weight of each row just before the first frame and at the last one.
    ///   - count: how many rows take part.
    ///   - frames: at most the length of the rows.
    @_noLocks @_noAllocation
    public static func process(
        rows: UnsafePointer<UnsafePointer<Float>>, from: UnsafePointer<Float>, to: UnsafePointer<Float>, count: Int,
        frames: Int, output: UnsafeMutablePointer<Float>
    ) {
        let step = 1 / Float(frames)
        let steps = Lanes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) * step
        // The sums of the rows with what their weights begin with, and with what these walk in the whole block: the
        // ramp itself is the same for all rows, and multiplied in at the end.
        var frame = 0
        while frame &+ laneCount < frames {
            var (y0, y1, walk0, walk1) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
            for i in 0..<count {
                let x = rows[i] + frame
                let base = Lanes(repeating: from[i])
                let slope = Lanes(repeating: to[i] - from[i])
                y0 = rt_fma16(x.lanes(0), base, y0)
                y1 = rt_fma16(x.lanes(16), base, y1)
                walk0 = rt_fma16(x.lanes(0), slope, walk0)
                walk1 = rt_fma16(x.lanes(16), slope, walk1)
            }
            output.setLanes(frame, rt_fma16(walk0, steps + Float(frame) * step, y0))
            output.setLanes(frame &+ 16, rt_fma16(walk1, steps + Float(frame &+ 16) * step, y1))
            frame = frame &+ 2 &* laneCount
        }
        guard frame < frames else { return }
        var (y, walk) = (Lanes.zero, Lanes.zero)
        for i in 0..<count {
            let x = rows[i].lanes(frame)
            y = rt_fma16(x, Lanes(repeating: from[i]), y)
            walk = rt_fma16(x, Lanes(repeating: to[i] - from[i]), walk)
        }
        output.setLanes(frame, rt_fma16(walk, steps + Float(frame) * step, y))
    }
}
