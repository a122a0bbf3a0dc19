/// Fades and crossfades of interleaved frames, in place.
public enum InterleavedFade {
    /// Applies a gain that changes linearly from `from` (just before the first frame) to `to` (at the last).
    @_noLocks @_noAllocation
    public static func apply(
        _ samples: UnsafeMutablePointer<Float>, channels: Int, frames: Int, from: Float, to: Float
    ) {
        let ramp = Ramp(from: from, to: to, frames: frames)
        var at = 0
        for frame in 0..<frames {
            let gain = ramp.value(at: frame)
            for _ in 0..<channels {
                samples[at] *= gain
                at = at &+ 1
            }
        }
    }

    /// Crossfades to `other`: its share changes from `from` to `to`, and `samples` has the rest up to 1.
    @_noLocks @_noAllocation
    public static func cross(
        _ samples: UnsafeMutablePointer<Float>, with other: UnsafePointer<Float>, channels: Int, frames: Int,
        from: Float, to: Float
    ) {
        let ramp = Ramp(from: from, to: to, frames: frames)
        var at = 0
        for frame in 0..<frames {
            let share = ramp.value(at: frame)
            for _ in 0..<channels {
                samples[at] += share * (other[at] - samples[at])
                at = at &+ 1
            }
        }
    }

    /// Adds `other`, with a gain of its own; both gains change linearly from `from` (just before the first frame) to `to`.
    @_noLocks @_noAllocation
    public static func mix(
        _ samples: UnsafeMutablePointer<Float>, with other: UnsafePointer<Float>, channels: Int, frames: Int,
        from: SIMD2<Float>, to: SIMD2<Float>
    ) {
        let ramps = (Ramp(from: from[0], to: to[0], frames: frames), Ramp(from: from[1], to: to[1], frames: frames))
        var at = 0
        for frame in 0..<frames {
            let (gain, otherGain) = (ramps.0.value(at: frame), ramps.1.value(at: frame))
            for _ in 0..<channels {
                samples[at] = gain * samples[at] + otherGain * other[at]
                at = at &+ 1
            }
        }
    }
}
