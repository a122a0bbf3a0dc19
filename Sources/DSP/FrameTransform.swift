internal import CRealtime
internal import Glibc

/// Converts samples to spectra of windowed frames and back, with half overlap and the root of a Hann window in both
/// directions, so that unchanged frames add up to the input `length` samples later.
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
        for i in 0..<length {
            let root = sin(.pi * Double(i) / Double(length))
            analysis[i] = Float(root)
            synthesis[i] = Float(root / Double(length))
        }
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
