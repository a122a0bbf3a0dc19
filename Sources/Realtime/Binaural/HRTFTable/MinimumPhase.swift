internal import DSP
internal import Glibc

/// Minimum-phase responses from magnitudes, by the cepstrum.
struct MinimumPhase: ~Copyable {
    private let transform: FourierTransform
    // SAFETY: the two are owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let time: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let spectrum: UnsafeMutablePointer<Float>

    /// - Parameter count: length of the transform, several times that of the responses.
    init(count: Int) {
        transform = FourierTransform(count: count)
        time = .allocateAligned(count)
        spectrum = .allocateAligned(2 * transform.bins)
    }

    deinit {
        time.deallocate()
        spectrum.deallocate()
    }

    /// Computes logarithm and phase into `spectrum`.
    /// - Parameter logs: natural logarithms of the magnitudes from 0 Hz to half the rate.
    private func fold(_ logs: some Collection<Float>) {
        let count = transform.count
        for (bin, value) in logs.enumerated() { (spectrum[2 * bin], spectrum[2 * bin + 1]) = (value / Float(count), 0) }
        transform.inverse(spectrum, into: time)
        for i in 1..<count / 2 { time[i] *= 2 }
        for i in count / 2 + 1..<count { time[i] = 0 }
        transform.forward(time, into: spectrum)
    }

    /// Phase at every frequency, radians.
    func phases(_ logs: some Collection<Float>) -> [Float] {
        fold(logs)
        return (0..<transform.bins).map { spectrum[2 * $0 + 1] }
    }

    /// The first `length` samples of the response; the last eighth of them fades out.
    func response(_ logs: some Collection<Float>, length: Int) -> [Float] {
        fold(logs)
        for bin in 0..<transform.bins {
            let size = exp(Double(spectrum[2 * bin])) / Double(transform.count)
            let value = Complex(magnitude: size, phase: Double(spectrum[2 * bin + 1]))
            (spectrum[2 * bin], spectrum[2 * bin + 1]) = (Float(value.re), Float(value.im))
        }
        transform.inverse(spectrum, into: time)
        let fade = length / 8
        return (0..<length).map { i in
            let rest = Double(length - i) / Double(fade + 1)
            return rest >= 1 ? time[i] : time[i] * Float(pow(sin(.pi / 2 * rest), 2))
        }
    }
}
