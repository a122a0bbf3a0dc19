/// Fades and crossfades of interleaved frames, in place.
public enum InterleavedFade {
    /// Multiplies by a straight line from `from` (just before the first frame) to `to` (at the last).
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

    /// Mixes `other` in: `samples` goes on with the share `1 - share`, the share walking from `from` to `to`.
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
}
