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

    /// Adds the weighted sum of magnitudes, with the phase of a weighted sum of phasors of any length.
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
            if phaseCount > 1 {
                phase *= shares[0]
                for row in 1..<phaseCount {
                    phase = rt_fma16(phases[row].lanes(i), Lanes(repeating: shares[row]), phase)
                }
                phase *= rt_inverse_magnitude16(phase, leastShare)
            }
            spectrum.setLanes(i, magnitude * phase)
            i = i &+ laneCount
        }
    }

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
