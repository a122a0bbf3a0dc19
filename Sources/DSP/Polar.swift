internal import CRealtime

/// Spectra as magnitudes and phases, and back. Spectra are real, imaginary, real...; a magnitude stands twice, so that
/// both parts of a bin meet it. Everything is handled in whole ``Lanes``.
public enum Polar {
    /// Squares below it are silence: -300 dB.
    static var least: Float { @_noLocks @_noAllocation get { 1e-30 } }
    /// The same where shares of unit phasors are added: they cancel to -60 dB before the magnitude suffers.
    static var leastShare: Float { @_noLocks @_noAllocation get { 1e-6 } }

    /// Takes a spectrum apart.
    ///
    /// - Parameters:
    ///   - count: floats, a multiple of 16.
    ///   - phase: unit phasors; of silent bins, shorter ones.
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

    /// The weighted sum of magnitudes with the phase of a weighted sum of phasors, whose length does not matter.
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
