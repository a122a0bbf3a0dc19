internal import Binaural
internal import DSP
internal import Glibc

/// Designs the filters from a source to the microphones of a rigid sphere.
///
/// The sphere's spectrum is sampled in double precision, rolled off below half the rate, delayed by a whole
/// number of samples so that it is causal, transformed, and faded at both ends.
struct SphereFilter {
    let sphere: Sphere
    let rate: Double
    /// Length of every filter, samples; a power of two.
    let taps: Int
    /// Delay in samples of a free-field wave at the centre.
    let delay: Int

    /// Time in seconds that the roll-off rings before and after an arrival, down to -100 dB.
    private static let ringing = 0.004
    /// Start of the roll-off as a share of half the rate: 21.6 kHz at 48 kHz.
    private static let rollOff = 0.9

    init(radius: Float, rate: Int) {
        sphere = Sphere(radius: Double(radius))
        self.rate = Double(rate)
        let crossing = sphere.radius / sphere.speedOfSound
        delay = Int(clamping: (self.rate * (Self.ringing + 1.5 * crossing)).rounded(.up))
        // Creeping waves around the sphere have decayed after about six circumferences.
        let length = self.rate * (0.01 + 40 * crossing)
        taps = (0...).lazy.map { 64 << $0 }.first { Double($0) >= length }!
    }

    /// - Parameters:
    ///   - cosines: cosines of the angles between source and microphone, any number.
    ///   - gain: returns the linear gain for the index of each.
    ///   - use: called with the index of each and its `taps` samples, valid during the call.
    func design(cosines: [Double], gain: (Int) -> Double, use: (Int, UnsafeMutablePointer<Float>) -> Void) {
        let grid = 2 * taps
        let transform = FourierTransform(count: grid)
        let spectra = AlignedFloats(transform.stride * cosines.count)
        sample(cosines, transform, into: spectra.floats)
        let response = AlignedFloats(grid)
        let fade = delay / 4
        for index in cosines.indices {
            transform.inverse(spectra.floats + transform.stride * index, into: response.floats)
            let scale = gain(index) / Double(grid)
            for n in 0..<taps {
                let edge = min(1, Double(min(n + 1, taps - n)) / Double(fade))
                response.floats[n] *= Float(scale * pow(sin(.pi / 2 * edge), 2))
            }
            use(index, response.floats)
        }
    }

    /// Computes one spectrum for each cosine.
    private func sample(
        _ cosines: [Double], _ transform: borrowing FourierTransform, into spectra: UnsafeMutablePointer<Float>
    ) {
        let grid = Double(transform.count)
        for bin in 0..<transform.bins {
            let share = 2 * Double(bin) / grid
            let past = max(0, (share - Self.rollOff) / (1 - Self.rollOff))
            let turn = Complex(
                magnitude: pow(cos(.pi / 2 * past), 2),
                phase: -2 * .pi * (Double(bin) * Double(delay) / grid).truncatingRemainder(dividingBy: 1))
            let modes = sphere.modes(frequency: share * rate / 2)
            for (index, cosine) in cosines.enumerated() {
                let value = turn * modes.pressure(cosine: cosine)
                let place = spectra + transform.stride * index + 2 * bin
                place[0] = Float(value.re)
                place[1] = Float(value.im)
            }
        }
    }
}
