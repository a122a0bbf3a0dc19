#if canImport(CFFTW)
internal import CFFTW

/// Discrete Fourier transform of real signals of one length in single precision.
///
/// Creating and destroying one locks and may allocate; transforming does neither and may run on several threads at once,
/// each with its own buffers. Buffers come from `allocateAligned` or have the same alignment.
/// No latency.
public struct FourierTransform: ~Copyable, Sendable {
    /// Samples per transform.
    public let count: Int
    /// Complex bins of a spectrum, from 0 Hz to half the rate: `count / 2 + 1`.
    public var bins: Int { count / 2 + 1 }
    /// Floats from one spectrum to the next in a buffer of several, each aligned.
    public var stride: Int { (2 * bins + 15) & ~15 }

    private let plans: FourierPlans
    // SAFETY: plans are immutable after creation and live as long as `plans`.
    private nonisolated(unsafe) let forwardPlan: fftwf_plan
    // SAFETY: as above.
    private nonisolated(unsafe) let inversePlan: fftwf_plan

    /// - Parameter count: number of samples, even. Powers of two are fastest.
    public init(count: Int) {
        precondition(count >= 2 && count.isMultiple(of: 2), "a transform has an even number of samples")
        self.count = count
        plans = .shared(count: count)
        forwardPlan = plans.forward
        inversePlan = plans.inverse
    }

    /// `spectrum[k] = sum over n of time[n] e^(-2 pi i k n / count)`, unscaled. Keeps `time`.
    ///
    /// - Parameters:
    ///   - time: `count` samples.
    ///   - spectrum: `2 * bins` floats: real, imaginary, real...
    @_noLocks @_noAllocation
    public borrowing func forward(
        _ time: UnsafeMutablePointer<Float>, into spectrum: UnsafeMutablePointer<Float>
    ) {
        Self.checked(time)
        fftwf_execute_dft_r2c(forwardPlan, time, Self.complex(spectrum))
    }

    /// The inverse of ``forward(_:into:)`` times `count`: the caller scales, mostly by including `1 / count` in a
    /// filter.
    /// Overwrites `spectrum`.
    @_noLocks @_noAllocation
    public borrowing func inverse(
        _ spectrum: UnsafeMutablePointer<Float>, into time: UnsafeMutablePointer<Float>
    ) {
        Self.checked(time)
        fftwf_execute_dft_c2r(inversePlan, Self.complex(spectrum), time)
    }

    /// FFTW's vector code crashes on unaligned buffers, far from the cause.
    @_noLocks @_noAllocation
    private static func checked(_ floats: UnsafeMutablePointer<Float>) {
        precondition(Int(bitPattern: floats) % 64 == 0, "transforms need buffers that are aligned")
    }

    @_noLocks @_noAllocation
    private static func complex(_ floats: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<fftwf_complex> {
        checked(floats)
        return UnsafeMutableRawPointer(floats).assumingMemoryBound(to: fftwf_complex.self)
    }
}
#endif
