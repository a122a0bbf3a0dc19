internal import CRealtime

/// Peak and energy, accumulated until they are read.
public enum LevelMeter {
    /// Accumulates the levels of up to 64 interleaved channels.
    ///
    /// - Parameters:
    ///   - input: interleaved, frames `channels` samples apart, readable 15 samples past the end.
    ///   - peak, energy: one value per channel, with room for `roundedToLanes(channels)`. The peak is raised, the energy
    ///     added to.
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

    /// Returns the largest magnitudes and the sums of squares of both sides: left, right.
    ///
    /// - Parameters:
    ///   - left, right: readable and zero from `frames` up to whole ``Lanes``.
    @_noLocks @_noAllocation
    public static func measure(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int
    ) -> (peak: SIMD2<Float>, energy: SIMD2<Float>) {
        var (top0, top1, sum0, sum1) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        var frame = 0
        while frame < frames {
            let (x0, x1) = (left.lanes(frame), right.lanes(frame))
            top0 = rt_max16(top0, rt_abs16(x0))
            top1 = rt_max16(top1, rt_abs16(x1))
            sum0 = rt_fma16(x0, x0, sum0)
            sum1 = rt_fma16(x1, x1, sum1)
            frame = frame &+ laneCount
        }
        return (rt_largest16s(top0, top1), rt_sum16s(sum0, sum1))
    }
}
