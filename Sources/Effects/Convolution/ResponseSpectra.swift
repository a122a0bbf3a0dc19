internal import DSP

/// Spectra of an impulse response for ``Convolution``. Computing them takes time; any number of convolutions share one
/// value.
public final class ResponseSpectra: Sendable {
    let left: SideSpectra
    let right: SideSpectra
    /// Paths to the other side, empty unless the response is true stereo.
    let leftToRight: SideSpectra
    let rightToLeft: SideSpectra
    let isTrueStereo: Bool
    /// Factor that gives the response the level of its file.
    let ownLevel: Float
    /// Length in samples.
    let length: Int

    /// - Parameters:
    ///   - left, right: impulse response of each side, samples; the same one twice for a mono response.
    ///   - leftToRight, rightToLeft: paths to the other side of a true-stereo response; empty for all others.
    ///   - ownLevel: factor that gives the response the level of its file.
    public init(
        left: [Float], right: [Float], leftToRight: [Float] = [], rightToLeft: [Float] = [], ownLevel: Float = 1
    ) {
        self.left = SideSpectra(left)
        self.right = SideSpectra(right)
        self.leftToRight = SideSpectra(leftToRight)
        self.rightToLeft = SideSpectra(rightToLeft)
        self.ownLevel = ownLevel
        isTrueStereo = !leftToRight.isEmpty || !rightToLeft.isEmpty
        length = max(max(left.count, right.count), max(leftToRight.count, rightToLeft.count))
    }
}

/// Spectra of one side.
final class SideSpectra: Sendable {
    let taps: Row
    let near: PartSpectra
    let middle: PartSpectra
    let far: PartSpectra

    init(_ response: [Float]) {
        taps = Row(ConvolutionSide.part)
        for i in 0..<min(ConvolutionSide.part, response.count) { taps.samples[i] = response[i] }
        let first = min(response.count, 2 * ConvolutionSide.middle)
        let second = min(response.count, 2 * ConvolutionSide.large)
        near = PartSpectra(part: ConvolutionSide.part, response: response[min(ConvolutionSide.part, first)..<first])
        middle = PartSpectra(part: ConvolutionSide.middle, response: response[first..<second])
        far = PartSpectra(part: ConvolutionSide.large, response: response[second...])
    }
}

/// Spectra of equal partitions of a response: for each a row of real parts, each twice, and a row of imaginary parts,
/// -im and im.
final class PartSpectra: Sendable {
    /// Samples in a partition, a power of two.
    let part: Int
    let count: Int
    let rows: Row

    /// - Parameter response: from the first tap on; it may be empty.
    init(part: Int, response: ArraySlice<Float>) {
        self.part = part
        count = (response.count + part - 1) / part
        let transform = FourierTransform(count: 2 * part)
        let stride = transform.stride
        rows = Row(2 * stride * count)
        let time = Row(2 * part)
        let sum = Row(stride)
        let scale = 1 / Float(2 * part)
        for i in 0..<count {
            let samples = response.dropFirst(i * part).prefix(part)
            for k in 0..<2 * part { time.samples[k] = 0 }
            for (k, sample) in samples.enumerated() { time.samples[k] = sample * scale }
            transform.forward(time.samples, into: sum.samples)
            let row = rows.samples + 2 * stride * i
            for bin in 0..<transform.bins {
                let (re, im) = (sum.samples[2 * bin], sum.samples[2 * bin + 1])
                row[2 * bin] = re
                row[2 * bin + 1] = re
                row[stride + 2 * bin] = -im
                row[stride + 2 * bin + 1] = im
            }
        }
    }
}
