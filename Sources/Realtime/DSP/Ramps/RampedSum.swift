internal import CRealtime

/// Addition of a row whose weight changes linearly.
public enum RampedSum {
    /// `output += row * weight`.
    ///
    /// - Parameters:
    ///   - from, to: weight just before the first frame and at the last one.
    ///   - frames: a multiple of 16.
    @_noLocks @_noAllocation
    public static func add(
        _ row: UnsafePointer<Float>, from: Float, to: Float, frames: Int, onto output: UnsafeMutablePointer<Float>
    ) {
        let step = (to - from) / Float(frames)
        let steps = Ramp.count * step + from
        var frame = 0
        while frame < frames {
            output.setLanes(frame, rt_fma16(row.lanes(frame), steps + Float(frame) * step, output.lanes(frame)))
            frame = frame &+ laneCount
        }
    }
}
