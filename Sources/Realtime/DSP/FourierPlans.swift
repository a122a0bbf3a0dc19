#if canImport(CFFTW)
internal import CFFTW
internal import Synchronization

/// FFTW's planner has tables shared by all plans: only one thread at a time may create or destroy a plan.
private let planner = Mutex(())

/// FFTW's plans for real transforms of one length, shared by all transforms of that length.
///
/// A background thread of low priority may need a long time for a plan, and holds the planner meanwhile. A thread that asks for a known
/// length does not wait for it.
final class FourierPlans: Sendable {
    // SAFETY: plans are immutable after creation and freed with the one object that owns them.
    nonisolated(unsafe) let forward: fftwf_plan
    // SAFETY: as above.
    nonisolated(unsafe) let inverse: fftwf_plan

    /// Lengths that are kept; with more, all are forgotten, and live on in the transforms that use them.
    private static let most = 64
    private static let known = Mutex<[Int: FourierPlans]>([:])

    /// - Parameter count: number of samples, even.
    static func shared(count: Int) -> FourierPlans {
        if let plans = known.withLock({ $0[count] }) { return plans }
        let plans = FourierPlans(count: count)
        // Plans that are forgotten wait for the planner when they end: after the lock.
        let forgotten = known.withLock { known -> [Int: FourierPlans] in
            var forgotten: [Int: FourierPlans] = [:]
            if known.count >= most { swap(&forgotten, &known) }
            known[count] = plans
            return forgotten
        }
        withExtendedLifetime(forgotten) {}
        return plans
    }

    private init(count: Int) {
        let time = UnsafeMutablePointer<Float>.allocateAligned(count)
        let spectrum = UnsafeMutablePointer<Float>.allocateAligned(2 * (count / 2 + 1))
        defer {
            time.deallocate()
            spectrum.deallocate()
        }
        let complex = UnsafeMutableRawPointer(spectrum).assumingMemoryBound(to: fftwf_complex.self)
        let length = Int32(count)
        // SAFETY: written under the lock, read after it by the same thread.
        nonisolated(unsafe) var plans: (forward: fftwf_plan?, inverse: fftwf_plan?)
        planner.withLock { _ in
            plans.forward = fftwf_plan_dft_r2c_1d(length, time, complex, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT)
            plans.inverse = fftwf_plan_dft_c2r_1d(length, complex, time, FFTW_ESTIMATE)
        }
        forward = plans.forward!
        inverse = plans.inverse!
    }

    deinit {
        planner.withLock { [forward, inverse] _ in
            fftwf_destroy_plan(forward)
            fftwf_destroy_plan(inverse)
        }
    }
}
#endif
