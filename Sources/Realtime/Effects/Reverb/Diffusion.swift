internal import CRealtime
internal import DSP

/// Extent of the diffusion of ``ReverbEntry`` in one block, which follows the decay time.
///
/// The diffusers delay sound by 24 ms and ring. In a room that decays by 60 dB in 100 ms, sound that is 24 ms late is 14 dB too loud: such
/// rooms get the input without diffusion.
struct Diffusion: BitwiseCopyable {
    /// Coefficient of the diffusers, with which they ring for at most 0.6 of the decay time.
    let coefficient: Ramp
    /// Gains of the diffused input and of the plain input.
    let diffused: Ramp
    let plain: Ramp

    /// - Parameters:
    ///   - before: decay time at the beginning of the block, seconds.
    ///   - after: at its end.
    @_noLocks @_noAllocation
    init(from before: Float, to after: Float, frames: Int) {
        let (from, to) = (Self.values(before), Self.values(after))
        coefficient = Ramp(from: from[0], to: to[0], frames: frames)
        diffused = Ramp(from: from[1], to: to[1], frames: frames)
        plain = Ramp(from: from[2], to: to[2], frames: frames)
    }

    @_noLocks @_noAllocation
    private static func values(_ decay: Float) -> SIMD3<Float> {
        let share = max(0, min(1, (decay - 0.1) * 2.5))
        return SIMD3(min(0.6, rt_exp2(-9.9657843 * Diffuser.longest / (600 * decay))), share, rt_sqrt(1 - share * share))
    }
}
