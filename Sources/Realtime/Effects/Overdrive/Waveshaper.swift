internal import CRealtime
internal import DSP

/// The curves of ``Overdrive``, each with its share, over one block.
struct Waveshaper: BitwiseCopyable, Sendable {
    /// Number of oversampled samples for each sample.
    static var phases: Int { @_noLocks @_noAllocation @inline(__always) get { 12 } }

    private let drive: Ramp
    /// Share of each curve.
    private let shares: VectorRamp<SIMD4<Float>>

    @_noLocks @_noAllocation
    init(drive: Ramp, shares: VectorRamp<SIMD4<Float>>) {
        self.drive = drive
        self.shares = shares
    }

    /// Gain before the curves.
    @_noLocks @_noAllocation @inline(__always)
    func gain(_ frame: Int) -> Lanes { drive.lanes(frame) }

    /// Computes all phases of sixteen samples.
    ///
    /// - Parameters:
    ///   - driven: input with its gain, and the sample before.
    ///   - output: where the result goes.
    ///   - frame: index of the first of sixteen.
    @_noLocks @_noAllocation @inline(__always)
    func apply(_ driven: borrowing PhaseRows, _ output: borrowing PhaseRows, frame: Int) {
        for phase in 0..<Self.phases { output.samples(phase, frame).setLanes(0, .zero) }
        if !shares[0].isZero { addMeans(.soft, share(0, frame), driven, output, frame) }
        if !shares[1].isZero { addMeans(.hard, share(1, frame), driven, output, frame) }
        if !shares[2].isZero {
            // The slope at 0 is scaled to 1.
            addMeans(.soft, share(2, frame) * 1.1687, driven, output, frame, from: 0.4, level: 0.37994896)
        }
        if !shares[3].isZero {
            let share = share(3, frame)
            for phase in 0..<Self.phases {
                let y = rt_sine16(rt_fold16(driven.samples(phase, frame).lanes(0) * 0.15915494))
                add(share * y, to: output.samples(phase, frame))
            }
        }
    }

    /// Adds a curve, averaged over each step.
    /// - Parameters:
    ///   - offset: added to the input.
    ///   - level: the curve there, subtracted from the output.
    @_noLocks @_noAllocation @inline(__always)
    private func addMeans(
        _ curve: AntiderivativeCurve, _ share: Lanes, _ driven: borrowing PhaseRows, _ output: borrowing PhaseRows, _ frame: Int,
        from offset: Float = -0.0, level: Float = 0
    ) {
        var mean = StepMean(curve, before: driven.samples(-1, frame).lanes(0) + offset)
        for phase in 0..<Self.phases {
            add(share * (mean.next(driven.samples(phase, frame).lanes(0) + offset) - level), to: output.samples(phase, frame))
        }
    }

    @_noLocks @_noAllocation @inline(__always)
    private func add(_ y: Lanes, to place: UnsafeMutablePointer<Float>) { place.setLanes(0, place.lanes(0) + y) }

    @_noLocks @_noAllocation @inline(__always)
    private func share(_ curve: Int, _ frame: Int) -> Lanes { shares[curve].lanes(frame) }
}
