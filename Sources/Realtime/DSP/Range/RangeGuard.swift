internal import CRealtime

/// Keeps one sound in the ``SoundRange``: a block that leaves it is replaced by the last sample before it, faded out, and
/// sound is faded in again afterwards.
///
/// A block that is in range costs one sum of squares, and not a bit of it changes.
public struct RangeGuard: BitwiseCopyable, Sendable {
    /// Length of the fades, seconds.
    public static var fade: Float { @_noLocks @_noAllocation @inlinable get { 0.01 } }

    /// Part of a fade that one frame covers.
    private let step: Float
    /// The last samples that were let through, left and right.
    @usableFromInline var last = SIMD2<Float>.zero
    /// The samples that are fading out, and their present share.
    private var held = SIMD2<Float>.zero
    @usableFromInline var heldShare: Float = 0
    /// Present share of the sound.
    @usableFromInline var share: Float = 1

    /// - Parameter rate: frames per second.
    @_noLocks @_noAllocation
    public init(rate: Float) { step = 1 / (Self.fade * rate) }

    /// Lets a block through, or replaces it.
    ///
    /// - Parameters:
    ///   - left, right: `frames` samples each; the same row twice for a single one.
    ///   - energy: the block's sum of squares where it is known; otherwise it is computed.
    /// - Returns: what is known of the block; a block that is not plausible was replaced, and the caller clears the state that it
    ///   came from.
    @_noLocks @_noAllocation @inlinable @inline(__always)
    public mutating func admit(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, energy: Float? = nil
    ) -> SoundRange.Verdict {
        let sum = energy ?? SoundRange.energy(left, right, count: frames)
        // Not a number is not below anything.
        guard sum < SoundRange.energy, share == 1, heldShare == 0 else { return look(left, right, frames) }
        last = SIMD2(left[frames &- 1], right[frames &- 1])
        return .plausible
    }

    /// Replaces a block whatever it contains.
    @_noLocks @_noAllocation
    public mutating func replace(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
    ) {
        (held, heldShare, share) = (last, 1, 0)
        rt_zero(left, frames)
        rt_zero(right, frames)
        fade(left, right, frames, towards: 0)
    }

    @_noLocks @_noAllocation @usableFromInline @inline(never)
    mutating func look(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
    ) -> SoundRange.Verdict {
        let (one, other) = (SoundRange.judge(left, count: frames), SoundRange.judge(right, count: frames))
        let verdict = SoundRange.Verdict(
            isPlausible: one.isPlausible && other.isPlausible, isFinite: one.isFinite && other.isFinite)
        if verdict.isPlausible {
            fade(left, right, frames, towards: 1)
        } else {
            replace(left, right, frames: frames)
        }
        return verdict
    }

    /// Fades the sound towards a share of 0 or 1 and the held samples out.
    @_noLocks @_noAllocation
    private mutating func fade(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int, towards wanted: Float
    ) {
        let isSingle = left == right
        for i in 0..<frames {
            heldShare = Ramp.approach(0, from: heldShare, step: step)
            if wanted == 1 { share = Ramp.approach(1, from: share, step: step) }
            left[i] = left[i] * share + held[0] * heldShare
            if !isSingle { right[i] = right[i] * share + held[1] * heldShare }
        }
        last = SIMD2(left[frames &- 1], right[frames &- 1])
    }
}
