internal import DSP

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
