internal import DSP

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
