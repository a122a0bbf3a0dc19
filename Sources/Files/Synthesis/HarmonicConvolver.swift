internal import Binaural
internal import DSP
internal import Glibc

/// Convolution of a ring's circular harmonics with their radial filters, block by block (overlap-save).
struct HarmonicConvolver: ~Copyable {
    /// Number of harmonics: c_0, c_1, s_1, c_2, s_2 and so on.
    let count: Int
    /// Frames of history that a block needs before its own.
    let history: Int
    /// Frames per block.
    let block: Int
    private let transform: FourierTransform
    private let filters: AlignedFloats
    private let windows: AlignedFloats
    private let spectrum: AlignedFloats
    private let result: AlignedFloats

    init(_ design: RadialFilter, order: Int) {
        let transform = FourierTransform(count: 4 * design.taps)
        let filters = AlignedFloats(transform.stride * (order + 1))
        let window = AlignedFloats(transform.count)
        design.design { m, response in
            for n in 0..<design.taps { window.floats[n] = response[n] / Float(transform.count) }
            transform.forward(window.floats, into: filters.floats + transform.stride * m)
        }
        count = 2 * order + 1
        history = design.taps - 1
        block = transform.count - history
        windows = AlignedFloats(transform.count * count)
        spectrum = AlignedFloats(transform.stride)
        result = AlignedFloats(transform.count)
        self.filters = filters
        self.transform = transform
    }

    /// Memory for the next `block` frames of a harmonic.
    func next(_ harmonic: Int) -> UnsafeMutablePointer<Float> { windows.floats + transform.count * harmonic + history }

    /// Filters the block of one harmonic stored in `next`, and makes room for another.
    /// - Parameter use: called with `block` frames, valid during the call.
    mutating func process(_ harmonic: Int, use: (UnsafePointer<Float>) -> Void) {
        let window = windows.floats + transform.count * harmonic
        let filter = filters.floats + transform.stride * ((harmonic + 1) / 2)
        let product = spectrum.floats
        transform.forward(window, into: product)
        window.update(from: window + block, count: history)
        for bin in 0..<transform.bins {
            let (re, im) = (2 * bin, 2 * bin + 1)
            let (a, b) = (product[re], product[im])
            product[re] = a * filter[re] - b * filter[im]
            product[im] = a * filter[im] + b * filter[re]
        }
        transform.inverse(product, into: result.floats)
        use(result.floats + history)
    }
}

/// Designs the filters that undo the effect of a rigid sphere on each circular harmonic of a horizontal sound field.
///
/// A plane wave has 1 cos(m azimuth) of every harmonic m in free air and a_m of it on the sphere's equator, where a_m
/// falls as the m-th power towards low frequencies. Its inverse g = 1 / a_m is limited to
/// g / sqrt(1 + (|g| / l)^4), l being the limit times the square root of two: less than 0.01 dB below g where g is
/// 12 dB under the limit, never above the limit, and falling to zero where g would continue to rise.
struct RadialFilter {
    /// Length in samples, a power of two.
    let taps: Int
    /// Delay of every filter in samples.
    var delay: Int { taps / 2 }

    private let sphere: Sphere
    private let rate: Double
    private let order: Int
    /// Linear gain limit.
    private let limit: Double

    /// Start of the roll-off as a share of half the rate: 21.6 kHz at 48 kHz.
    private static let rollOff = 0.9

    /// - Parameters:
    ///   - radius: metres.
    ///   - rate: frames per second.
    ///   - limit: dB.
    init(radius: Float, rate: Double, order: Int, limit: Double) {
        sphere = Sphere(radius: Double(radius))
        self.rate = rate
        self.order = order
        self.limit = pow(10, limit / 20)
        // The lowest corner is that of m = 1, whose a_1 is 1.5 k r; the filters ring for a few of its periods.
        let corner = sphere.speedOfSound / (2 * .pi * sphere.radius * 1.5 * self.limit * 2.0.squareRoot())
        let length = max(2048, 6 * rate / corner)
        taps = (0...).lazy.map { 64 << $0 }.first { Double($0) >= length }!
    }

    /// - Parameter use: called with m and its filter of `taps` samples, for m from 0 to the order; valid during the call.
    func design(use: (Int, UnsafeMutablePointer<Float>) -> Void) {
        let grid = 2 * taps
        let transform = FourierTransform(count: grid)
        let spectra = AlignedFloats(transform.stride * (order + 1))
        let largest = .pi * rate * sphere.radius / sphere.speedOfSound
        let ring = RingSeries(terms: order + 1, size: largest)
        for bin in 0..<transform.bins {
            let share = 2 * Double(bin) / Double(grid)
            let past = max(0, (share - Self.rollOff) / (1 - Self.rollOff))
            // A delay of half a filter is a quarter of the grid, hence a phase of -90 degrees per bin.
            let turn = Complex(magnitude: pow(cos(.pi / 2 * past), 2), phase: -.pi / 2 * Double(bin & 3))
            let coefficients = ring.coefficients(sphere.modes(frequency: share * rate / 2))
            for (m, coefficient) in coefficients.enumerated() {
                let value = turn * inverse(coefficient)
                spectra.floats[transform.stride * m + 2 * bin] = Float(value.re)
                spectra.floats[transform.stride * m + 2 * bin + 1] = Float(value.im)
            }
        }
        let response = AlignedFloats(grid)
        let fade = taps / 16
        for m in 0...order {
            transform.inverse(spectra.floats + transform.stride * m, into: response.floats)
            for n in 0..<taps {
                let edge = min(1, Double(min(n + 1, taps - n)) / Double(fade))
                response.floats[n] *= Float(pow(sin(.pi / 2 * edge), 2) / Double(grid))
            }
            use(m, response.floats)
        }
    }

    private func inverse(_ coefficient: Complex) -> Complex {
        let size = coefficient.magnitude
        guard size > 1e-12 else { return Complex(0) }
        let gain = 1 / size / (limit * 2.0.squareRoot())
        return (1 / (1 + pow(gain, 4)).squareRoot()) * (Complex(1) / coefficient)
    }
}
