internal import Glibc

/// Linear-phase low-pass filters by a Kaiser window; not for audio threads.
public enum LowPassDesign {
    /// Coefficients of an anchor's low-pass (ITU-R BS.1534-3: within 0.1 dB up to the edge, at least 25 dB down at 8/7 of it and 50 dB
    /// at 9/7).
    ///
    /// - Parameters:
    ///   - edge: end of the pass band, hertz.
    ///   - rate: frames per second.
    /// - Returns: an odd number of coefficients, symmetrical, with a sum of 1; the single coefficient 1 when the edge is too near to
    ///   half the rate for a stop band.
    public static func taps(edge: Double, rate: Double) -> [Float] {
        // From the edge to 8/7 of it, with the cutoff in the middle.
        let width = edge / 7
        guard edge + width < rate / 2 else { return [1] }
        let attenuation = 60.0
        let half = Int(clamping: ((attenuation - 8) / (2.285 * 2 * .pi * width / rate) / 2).rounded(.up))
        let beta = 0.1102 * (attenuation - 8.7)
        let cutoff = (edge + width / 2) / rate
        let taps = (-half...half).map { place in
            let x = Double(place)
            let sinc = place == 0 ? 2 * cutoff : sin(2 * .pi * cutoff * x) / (.pi * x)
            let inner = 1 - (x / Double(half)) * (x / Double(half))
            return sinc * Bessel.first(beta * inner.squareRoot()) / Bessel.first(beta)
        }
        let sum = taps.reduce(0, +)
        return taps.map { Float($0 / sum) }
    }
}
