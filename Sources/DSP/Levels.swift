internal import CRealtime

/// Peak and energy, gathered until somebody takes them.
public enum Levels {
    /// Of up to 64 interleaved channels.
    ///
    /// - Parameters:
    ///   - input: interleaved, `channels` apart, readable 15 samples past the end.
    ///   - peak, energy: one per channel with room for `roundedToLanes(channels)`; raised, added to.
    @_noLocks @_noAllocation
    public static func gather(
        _ input: UnsafePointer<Float>, channels: Int, frames: Int,
        peak: UnsafeMutablePointer<Float>, energy: UnsafeMutablePointer<Float>
    ) {
        var channel = 0
        while channel < channels {
            var top = peak.lanes(channel)
            var sum = energy.lanes(channel)
            var at = channel
            for _ in 0..<frames {
                let x = input.lanes(at)
                top = rt_max16(top, rt_abs16(x))
                sum = rt_fma16(x, x, sum)
                at = at &+ channels
            }
            peak.setLanes(channel, top)
            energy.setLanes(channel, sum)
            channel = channel &+ laneCount
        }
    }

    /// Of one row of samples: its largest magnitude and its sum of squares.
    ///
    /// - Parameter row: zero, and readable, from `frames` up to whole ``Lanes``.
    @_noLocks @_noAllocation
    public static func measure(_ row: UnsafePointer<Float>, frames: Int) -> (peak: Float, energy: Float) {
        var top = Lanes.zero
        var sum = Lanes.zero
        var frame = 0
        while frame < frames {
            let x = row.lanes(frame)
            top = rt_max16(top, rt_abs16(x))
            sum = rt_fma16(x, x, sum)
            frame = frame &+ laneCount
        }
        return (rt_largest16(top), rt_sum16(sum))
    }
}
