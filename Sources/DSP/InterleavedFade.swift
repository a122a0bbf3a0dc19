/// Fades and crossfades of interleaved frames, in place.
public enum InterleavedFade {
    /// Applies a gain that changes linearly from `from` (just before the first frame) to `to` (at the last).
    @_noLocks @_noAllocation
    public static func apply(
        _ samples: UnsafeMutablePointer<Float>, channels: Int, frames: Int, from: Float, to: Float
    ) {
        let step = (to - from) / Float(frames)
        var gain = from
        var at = 0
        for _ in 0..<frames {
            gain += step
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
        let step = (to - from) / Float(frames)
        var share = from
        var at = 0
        for _ in 0..<frames {
            share += step
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
        let step = (to - from) / Float(frames)
        var gains = from
        var at = 0
        for _ in 0..<frames {
            gains += step
            for _ in 0..<channels {
                samples[at] = gains[0] * samples[at] + gains[1] * other[at]
                at = at &+ 1
            }
        }
    }
}
