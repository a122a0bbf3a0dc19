internal import CRealtime

/// Adds one row to six others, each with a weight that changes linearly.
public enum SpreadSum {
    /// Adds in whole ``Lanes``.
    ///
    /// - Parameters:
    ///   - from, to: weights of the six just before the first frame and at the last one.
    ///   - first: of six rows, `stride` apart.
    @_noLocks @_noAllocation
    public static func add(
        _ row: UnsafePointer<Float>, from: SIMD8<Float>, to: SIMD8<Float>, frames: Int, onto first: UnsafeMutablePointer<Float>, stride: Int
    ) {
        let step = (to - from) / Float(frames)
        let isSteady = from == to
        var frame = 0
        while frame < frames {
            let x = row.lanes(frame)
            // The row times the number of its frame.
            let late = isSteady ? x : x * (Ramp.count + Float(frame))
            for k in 0..<6 {
                let sum = first + (k &* stride &+ frame)
                var y = rt_fma16(x, rt_all16(from[k]), sum.lanes(0))
                if !isSteady { y = rt_fma16(late, rt_all16(step[k]), y) }
                sum.setLanes(0, y)
            }
            frame = frame &+ laneCount
        }
    }
}
