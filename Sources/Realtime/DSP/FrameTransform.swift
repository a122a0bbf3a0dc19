internal import CRealtime
internal import Glibc

/// Converts samples to spectra of windowed frames and back, with half overlap, so that unchanged frames add up to the input
/// `length` samples later.
///
/// The window of the analysis is Kaiser-Bessel-derived with alpha 5 (Fielder et al., "AC-2 and AC-3", Collected Papers on
/// Digital Audio Bit-Rate Reduction, AES 1996): a tone's mirror image at negative frequencies is 90 dB down in the tone's
/// bins above 4 kHz, where the sidelobes of a sine window would modulate its magnitude. The synthesis completes it to a Hann
/// window, the smoothest crossfade from frame to frame.
///
/// Has working memory for one frame, for one thread at a time.
public struct FrameTransform: ~Copyable, Sendable {
    /// Samples in a frame.
    public let length: Int
    /// Floats in a spectrum, in whole ``Lanes``; those past the last bin are zero.
    public let floats: Int
    private let transform: FourierTransform
    // SAFETY: the four are owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let analysis: UnsafeMutablePointer<Float>
    // SAFETY: as above. Scaled by one over the length.
    private nonisolated(unsafe) let synthesis: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let time: UnsafeMutablePointer<Float>
    /// Spectrum for ``overlap(onto:)``.
    // SAFETY: as above.
    public nonisolated(unsafe) let spectrum: UnsafeMutablePointer<Float>

    /// - Parameter length: samples, a multiple of 32.
    public init(length: Int) {
        precondition(length.isMultiple(of: 32), "frames are handled in whole lanes")
        self.length = length
        transform = FourierTransform(count: length)
        floats = roundedToLanes(2 * transform.bins)
        analysis = .allocateAligned(length)
        synthesis = .allocateAligned(length)
        time = .allocateAligned(length)
        spectrum = .allocateAligned(floats)
        let window = Self.kaiserBesselDerived(length, alpha: 5)
        for i in 0..<length {
            let hann = pow(sin(.pi * Double(i) / Double(length)), 2)
            analysis[i] = Float(window[i])
            synthesis[i] = Float(hann / window[i] / Double(length))
        }
    }

    private static func kaiserBesselDerived(_ length: Int, alpha: Double) -> [Double] {
        let half = length / 2
        let kernel = (0...half).map { place in
            let along = 2 * Double(place) / Double(half) - 1
            return Bessel.first(.pi * alpha * max(0, 1 - along * along).squareRoot())
        }
        var sum = 0.0
        let whole = kernel.reduce(0, +)
        let rise = kernel.prefix(half).map { value in
            sum += value
            return (sum / whole).squareRoot()
        }
        return rise + rise.reversed()
    }

    deinit {
        analysis.deallocate()
        synthesis.deallocate()
        time.deallocate()
        spectrum.deallocate()
    }

    /// Computes the spectrum of `length` samples into ``spectrum``.
    @_noLocks @_noAllocation
    public borrowing func analyse(_ samples: UnsafePointer<Float>) {
        var i = 0
        while i < length {
            time.setLanes(i, samples.lanes(i) * analysis.lanes(i))
            i = i &+ laneCount
        }
        transform.forward(time, into: spectrum)
    }

    /// Adds the frame with the spectrum ``spectrum`` to `length` samples of `output`; overwrites ``spectrum``.
    @_noLocks @_noAllocation
    public borrowing func overlap(onto output: UnsafeMutablePointer<Float>) {
        transform.inverse(spectrum, into: time)
        Polar.overlap(time, window: synthesis, count: length, onto: output)
    }
}
