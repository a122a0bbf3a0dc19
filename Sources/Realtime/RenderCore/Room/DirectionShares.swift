internal import Binaural
internal import CRealtime
internal import DSP

/// The shares of a sound from some direction in the sixteen directions of the late field: those nearest to it, with the power of the whole.
struct DirectionShares: BitwiseCopyable {
    private(set) var values = Lanes.zero
    /// Cosine of the angle from which on a direction has no share.
    private static var least: Float { @_noLocks @_noAllocation get { 0.6 } }

    /// - Parameter direction: unit vector in the world.
    @_noLocks @_noAllocation
    init(_ direction: SIMD3<Float>) {
        var power: Float = 0
        for i in 0..<SurroundField.count {
            let product = direction * LateDirections.direction(i, of: SurroundField.count)
            let share = max(0, product[0] + product[1] + product[2] - Self.least)
            values[i] = share * share
            power += values[i] * values[i]
        }
        values = rt_mul16(values, rt_all16(1 / rt_sqrt(max(1e-9, power))))
    }
}
