internal import CRealtime
internal import DSP

/// State and last output of eight sections in series.
///
/// At rest they are in transposed direct form II, which takes the fewest operations; while they change, the two numbers
/// are the integrator states of ``IntegratorBank``, which do not depend on the filter.
struct SectionState: BitwiseCopyable, Sendable {
    private(set) var y = SIMD8<Double>.zero
    private var s1 = SIMD8<Double>.zero
    private var s2 = SIMD8<Double>.zero

    @_noLocks @_noAllocation
    init() {}

    /// Advances by one frame: each section gets the previous output of the section before it, the first gets `new`.
    @_noLocks @_noAllocation @inline(__always)
    mutating func step(_ bank: SectionBank, _ new: Double) {
        let x = rt_push8(y, new)
        y = rt_fmad8(bank.b0, x, s1)
        s1 = rt_fmad8(bank.a1, y, rt_fmad8(bank.b1, x, s2))
        s2 = rt_fmad8(bank.a2, y, rt_muld8(bank.b2, x))
    }

    /// The same during a change; see ``IntegratorBank``.
    ///
    /// - Parameters:
    ///   - share: ``IntegratorBank/share``.
    ///   - band: ``IntegratorBank/band``.
    @_noLocks @_noAllocation @inline(__always)
    mutating func step(_ bank: IntegratorBank, share: SIMD8<Double>, band: SIMD8<Double>, _ new: Double) {
        let x = rt_push8(y, new)
        let v1 = rt_muld8(share, rt_fmad8(bank.g, rt_subd8(x, s2), s1))
        let v2 = rt_fmad8(bank.g, v1, s2)
        s1 = rt_subd8(rt_addd8(v1, v1), s1)
        s2 = rt_subd8(rt_addd8(v2, v2), s2)
        y = rt_fmad8(bank.all, x, rt_fmad8(band, v1, rt_muld8(bank.low, v2)))
    }

    /// Advances only sections that have a frame in this block; the others keep their state of `before`.
    @_noLocks @_noAllocation
    mutating func hold(_ before: SectionState, time: Int, frames: Int) {
        s1 = rt_during8(time, frames, s1, before.s1)
        s2 = rt_during8(time, frames, s2, before.s2)
    }

    /// Converts from rest to change: integrator states with the same future output as the direct form.
    @_noLocks @_noAllocation
    mutating func charge(_ bank: IntegratorBank, _ direct: SectionBank) {
        let (t11, t12, t21, t22) = bank.sounding(direct)
        let determinant = t11 * t22 - t12 * t21
        let size = t11 * t11 + t12 * t12 + t21 * t21 + t22 * t22
        // A state without influence on the output, as in a flat band, becomes 0.
        let weight = determinant / (determinant * determinant + 1e-18 * size * size + 1e-300)
        (s1, s2) = ((t22 * s1 - t12 * s2) * weight, (t11 * s2 - t21 * s1) * weight)
    }

    /// Converts from change to rest: the direct form with the same future output as the integrators.
    @_noLocks @_noAllocation
    mutating func discharge(_ bank: IntegratorBank, _ direct: SectionBank) {
        let (t11, t12, t21, t22) = bank.sounding(direct)
        (s1, s2) = (t11 * s1 + t12 * s2, t21 * s1 + t22 * s2)
    }
}
