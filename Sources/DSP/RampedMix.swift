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
        let further = Lanes(repeating: 16 * step)
        var frame = 0
        while frame < frames {
            // Four accumulators at a time, a block of 64: the weights are fetched once for all of them.
            let start = Float(frame) * step
            let r0 = steps + start
            let r1 = r0 + further
            let r2 = r1 + further
            let r3 = r2 + further
            var (y0, y1, y2, y3) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
            let lanes = min(4, (frames &- frame &+ 15) / 16)
            for i in 0..<count {
                let x = rows[i] + frame
                let base = Lanes(repeating: from[i])
                let slope = Lanes(repeating: to[i] - from[i])
                y0 = rt_fma16(x.lanes(0), rt_fma16(slope, r0, base), y0)
                if lanes > 1 { y1 = rt_fma16(x.lanes(16), rt_fma16(slope, r1, base), y1) }
                if lanes > 2 { y2 = rt_fma16(x.lanes(32), rt_fma16(slope, r2, base), y2) }
                if lanes > 3 { y3 = rt_fma16(x.lanes(48), rt_fma16(slope, r3, base), y3) }
            }
            output.setLanes(frame, y0)
            if lanes > 1 { output.setLanes(frame &+ 16, y1) }
            if lanes > 2 { output.setLanes(frame &+ 32, y2) }
            if lanes > 3 { output.setLanes(frame &+ 48, y3) }
            frame = frame &+ 64
        }
    }
}
