internal import CFFTW
internal import Synchronization

/// FFTW's planner keeps tables that all plans share: one thread at a time may make or destroy a plan.
private let planner = Mutex(())

/// The discrete Fourier transform of real signals of one length, single precision.
///
/// Making and dropping one locks and allocates; the transforms do neither and may run on any thread, on
/// several at once with buffers of their own. Buffers come from ``allocate(_:)``, or are aligned as it does.
/// No latency.
public struct FourierTransform: ~Copyable, Sendable {
    /// Samples per transform.
    public let count: Int
    /// Complex bins of a spectrum, from 0 Hz to half the rate: `count / 2 + 1`.
    public var bins: Int { count / 2 + 1 }
    /// Floats from one spectrum to the next where many stand in one buffer, each aligned.
    public var stride: Int { (2 * bins + 15) & ~15 }

    // SAFETY: plans are immutable after creation and freed with the one value that owns them.
    private nonisolated(unsafe) let forwardPlan: fftwf_plan
    // SAFETY: as above.
    private nonisolated(unsafe) let inversePlan: fftwf_plan

    /// - Parameter count: samples, even. Powers of two are fastest.
    public init(count: Int) {
        precondition(count >= 2 && count.isMultiple(of: 2), "a transform has an even number of samples")
        self.count = count
        let time = UnsafeMutablePointer<Float>.allocateAligned(count)
        let spectrum = UnsafeMutablePointer<Float>.allocateAligned(2 * (count / 2 + 1))
        defer {
            time.deallocate()
            spectrum.deallocate()
        }
        let complex = Self.complex(spectrum)
        let length = Int32(count)
        // SAFETY: written under the lock, read after it by the same thread.
        nonisolated(unsafe) var plans: (forward: fftwf_plan?, inverse: fftwf_plan?)
        planner.withLock { _ in
            plans.forward = fftwf_plan_dft_r2c_1d(length, time, complex, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT)
            plans.inverse = fftwf_plan_dft_c2r_1d(length, complex, time, FFTW_ESTIMATE)
        }
        forwardPlan = plans.forward!
        inversePlan = plans.inverse!
    }

    deinit {
        planner.withLock { [forwardPlan, inversePlan] _ in
            fftwf_destroy_plan(forwardPlan)
            fftwf_destroy_plan(inversePlan)
        }
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

    /// The inverse of ``forward(_:into:)`` times `count`: whoever calls scales, mostly by folding
    /// `1 / count` into a filter. Overwrites `spectrum`.
    @_noLocks @_noAllocation
    public borrowing func inverse(
        _ spectrum: UnsafeMutablePointer<Float>, into time: UnsafeMutablePointer<Float>
    ) {
        Self.checked(time)
        fftwf_execute_dft_c2r(inversePlan, Self.complex(spectrum), time)
    }

    /// The vector codelets crash on anything else, far from the cause.
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
