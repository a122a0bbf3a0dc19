internal import CRealtime

/// Converts spectra to magnitudes and phases and back. Spectra are real, imaginary, real...; each magnitude is stored
/// twice, for both parts of a bin. All operations work on whole ``Lanes``.
public enum Polar {
    /// Squared magnitude below which a bin is silent: -300 dB.
    static var least: Float { @_noLocks @_noAllocation get { 1e-30 } }
    /// The same limit for weighted sums of unit phasors: cancellation to -60 dB leaves the magnitude accurate.
    static var leastShare: Float { @_noLocks @_noAllocation get { 1e-6 } }

    /// Splits a spectrum into magnitudes and phases.
    ///
    /// - Parameters:
    ///   - count: floats, a multiple of 16.
    ///   - phase: unit phasors; shorter for silent bins.
    @_noLocks @_noAllocation
    public static func split(
        _ spectrum: UnsafePointer<Float>, count: Int, magnitude: UnsafeMutablePointer<Float>,
        phase: UnsafeMutablePointer<Float>
    ) {
        var i = 0
        while i < count {
            let x = spectrum.lanes(i)
            let inverse = rt_inverse_magnitude16(x, least)
            phase.setLanes(i, x * inverse)
            magnitude.setLanes(i, 1 / inverse)
            i = i &+ laneCount
        }
    }

    /// Computes the weighted sum of magnitudes with phases between those of several rows of phasors.
    ///
    /// Between two phases, the phase turns evenly the shorter way round with the share of the second.
    ///
    /// - Parameters:
    ///   - magnitudes, phases: rows as ``split(_:count:magnitude:phase:)`` makes them, at least one of each.
    ///   - count: floats, a multiple of 16.
    @_noLocks @_noAllocation
    public static func join(
        magnitudes: UnsafePointer<UnsafePointer<Float>>, weights: UnsafePointer<Float>, magnitudeCount: Int,
        phases: UnsafePointer<UnsafePointer<Float>>, shares: UnsafePointer<Float>, phaseCount: Int, count: Int,
        spectrum: UnsafeMutablePointer<Float>
    ) {
        var i = 0
        while i < count {
            var magnitude = magnitudes[0].lanes(i) * weights[0]
            for row in 1..<max(magnitudeCount, 1) {
                magnitude = rt_fma16(magnitudes[row].lanes(i), Lanes(repeating: weights[row]), magnitude)
            }
            var phase = phases[0].lanes(i)
            var total = shares[0]
            for row in 1..<max(phaseCount, 1) {
                total += shares[row]
                phase = turn(phase, to: phases[row].lanes(i), by: total > 0 ? shares[row] / total : 0)
            }
            spectrum.setLanes(i, magnitude * phase)
            i = i &+ laneCount
        }
    }

    /// Turns unit phasors by a share of the angle to others.
    ///
    /// Two halvings leave at most an eighth of a turn, within which the weighted sum is even to a third of a degree.
    @_noLocks @_noAllocation @inline(__always)
    private static func turn(_ from: Lanes, to: Lanes, by share: Float) -> Lanes {
        var (low, high, share) = (from, to, share)
        for _ in 0..<2 {
            let middle = unit(low + high)
            if share < 0.5 {
                (high, share) = (middle, 2 * share)
            } else {
                (low, share) = (middle, 2 * share - 1)
            }
        }
        return unit(rt_fma16(high - low, Lanes(repeating: share), low))
    }

    @_noLocks @_noAllocation @inline(__always)
    private static func unit(_ phasors: Lanes) -> Lanes { phasors * rt_inverse_magnitude16(phasors, leastShare) }

    /// `output += samples * window`.
    ///
    /// - Parameter count: samples, a multiple of 16.
    @_noLocks @_noAllocation
    public static func overlap(
        _ samples: UnsafePointer<Float>, window: UnsafePointer<Float>, count: Int, onto output: UnsafeMutablePointer<Float>
    ) {
        var i = 0
        while i < count {
            output.setLanes(i, rt_fma16(samples.lanes(i), window.lanes(i), output.lanes(i)))
            i = i &+ laneCount
        }
    }
}
