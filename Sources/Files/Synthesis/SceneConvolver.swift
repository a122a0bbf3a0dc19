internal import Binaural
internal import DSP
internal import Glibc

/// Convolution of all sources to all microphones, block by block (overlap-save).
struct SceneConvolver: ~Copyable {
    let sources: Int
    let microphones: Int
    /// Frames of history that a block needs before its own.
    let history: Int
    /// Frames per block.
    let block: Int
    private let transform: FourierTransform
    /// Spectra for each source and microphone, ordered by source.
    private let filters: AlignedFloats
    private let windows: AlignedFloats
    private let spectra: AlignedFloats
    private let sum: AlignedFloats
    private let result: AlignedFloats

    /// - Parameters:
    ///   - cosines: cosines of the angles between each source and microphone, ordered by source.
    ///   - gains: linear gains of the sources.
    init(_ design: SphereFilter, cosines: [Double], gains: [Double]) {
        let microphones = cosines.count / gains.count
        let transform = FourierTransform(count: 4 * design.taps)
        let stride = transform.stride
        let filters = AlignedFloats(stride * cosines.count)
        let window = AlignedFloats(transform.count)
        design.design(cosines: cosines, gain: { gains[$0 / microphones] / Double(transform.count) }) {
            window.floats.update(from: $1, count: design.taps)
            transform.forward(window.floats, into: filters.floats + stride * $0)
        }
        sources = gains.count
        self.microphones = microphones
        history = design.taps - 1
        block = transform.count - history
        windows = AlignedFloats(transform.count * gains.count)
        spectra = AlignedFloats(stride * gains.count)
        sum = AlignedFloats(stride)
        result = AlignedFloats(transform.count)
        self.filters = filters
        self.transform = transform
    }

    /// Memory for the `history` frames of a source before the first block; initially silence.
    func past(_ source: Int) -> UnsafeMutablePointer<Float> { windows.floats + transform.count * source }

    /// Memory for the next `block` frames of a source.
    func next(_ source: Int) -> UnsafeMutablePointer<Float> { past(source) + history }

    /// Renders the block stored in `next` and makes room for another.
    /// - Parameter interleaved: `block` frames of every microphone.
    mutating func process(into interleaved: UnsafeMutablePointer<Float>) {
        let stride = transform.stride
        for source in 0..<sources {
            transform.forward(past(source), into: spectra.floats + stride * source)
            past(source).update(from: past(source) + block, count: history)
        }
        for microphone in 0..<microphones {
            sum.floats.update(repeating: 0, count: stride)
            for source in 0..<sources {
                Self.addProduct(
                    spectra.floats + stride * source, filters.floats + stride * (source * microphones + microphone),
                    to: sum.floats, bins: transform.bins)
            }
            transform.inverse(sum.floats, into: result.floats)
            for frame in 0..<block { interleaved[frame * microphones + microphone] = result.floats[history + frame] }
        }
    }

    private static func addProduct(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, to sum: UnsafeMutablePointer<Float>, bins: Int
    ) {
        for bin in 0..<bins {
            let (re, im) = (2 * bin, 2 * bin + 1)
            sum[re] += a[re] * b[re] - a[im] * b[im]
            sum[im] += a[re] * b[im] + a[im] * b[re]
        }
    }
}

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
