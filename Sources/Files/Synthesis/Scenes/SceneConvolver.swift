internal import DSP

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
