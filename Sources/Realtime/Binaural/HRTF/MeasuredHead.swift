internal import DSP
internal import Glibc

/// A measured head's responses at equally spaced frequencies: scaled in time to another head's size, at the level of a rigid sphere in a
/// plane wave of amplitude 1, with the gains that remove its colour.
struct MeasuredHead: Sendable {
    let directions: HeadDirections
    /// Radius of the measured head, estimated from the phases at its ears, metres.
    let measuredRadius: Double
    /// Rate of the measurement after scaling in time, samples per second.
    let rate: Double
    /// Indexed by frequency, ear and direction. Time 0 is the passage of the head's centre.
    let responses: [[[Complex]]]
    /// Gain of the equalisation for each frequency.
    let gains: [Double]

    /// - Parameters:
    ///   - spacing: Hz between frequencies, from 0.
    ///   - count: number of frequencies.
    ///   - headRadius: radius to which the responses are scaled, metres; 0 for no scaling.
    init(_ measured: HeadResponses, spacing: Double, count: Int, headRadius: Double, equalisation: HRTFEqualisation) {
        let directions = HeadDirections(measured)
        let spectra = HeadSpectra(measured, directions)
        let fit = HeadFit(spectra)
        let stretch = headRadius > 0 ? headRadius / fit.radius : 1
        let head = Sphere(radius: fit.radius * stretch)
        let frequencies = (0..<count).map { Double($0) * spacing }
        let sphere = frequencies.map { frequency in
            let modes = head.modes(frequency: frequency)
            return [1.0, -1].map { side in directions.units.map { modes.pressure(cosine: side * $0.y) } }
        }
        responses = frequencies.enumerated().map { bin, frequency in
            let (low, high) = HRTFTarget.measured
            let share = max(0, min(1, (frequency - low) / (high - low)))
            return (0..<2).map { ear in
                let measured = spectra.response(ear: ear, frequency: frequency * stretch, origin: fit.origin)
                return zip(sphere[bin][ear], measured).map { (1 - share) * $0 + (share * fit.gain) * $1 }
            }
        }
        rate = spectra.rate / stretch
        gains = HRTFColour(responses, sphere: sphere, directions, equalisation, spacing: spacing, rate: rate).gains
        measuredRadius = fit.radius
        self.directions = directions
    }
}
