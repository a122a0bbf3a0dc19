internal import CRealtime
internal import DSP

/// Coefficients of eight second-order sections, side by side.
struct SectionBank: BitwiseCopyable, Sendable {
    private(set) var b0 = SIMD8<Double>(repeating: 1)
    private(set) var b1 = SIMD8<Double>.zero
    private(set) var b2 = SIMD8<Double>.zero
    /// Negated, as they are added.
    private(set) var a1 = SIMD8<Double>.zero
    private(set) var a2 = SIMD8<Double>.zero

    @_noLocks @_noAllocation
    init() {}

    /// No step.
    static var still: SectionBank {
        @_noLocks @_noAllocation get {
            var bank = SectionBank()
            bank.b0 = .zero
            return bank
        }
    }

    @_noLocks @_noAllocation
    mutating func set(_ index: Int, _ section: Section) {
        b0[index] = section.b0
        b1[index] = section.b1
        b2[index] = section.b2
        a1[index] = -section.a1
        a2[index] = -section.a2
    }

    @_noLocks @_noAllocation
    func equals(_ other: SectionBank) -> Bool {
        b0 == other.b0 && b1 == other.b1 && b2 == other.b2 && a1 == other.a1 && a2 == other.a2
    }

    @_noLocks @_noAllocation
    func step(to other: SectionBank, share: Double) -> SectionBank {
        var step = SectionBank()
        step.b0 = (other.b0 - b0) * share
        step.b1 = (other.b1 - b1) * share
        step.b2 = (other.b2 - b2) * share
        step.a1 = (other.a1 - a1) * share
        step.a2 = (other.a2 - a2) * share
        return step
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func advance(_ step: SectionBank) {
        b0 = rt_addd8(b0, step.b0)
        b1 = rt_addd8(b1, step.b1)
        b2 = rt_addd8(b2, step.b2)
        a1 = rt_addd8(a1, step.a1)
        a2 = rt_addd8(a2, step.a2)
    }

    /// `other` itself once all that differs is inaudible.
    @_noLocks @_noAllocation
    func settled(to other: SectionBank) -> SectionBank {
        let rest = step(to: other, share: 1)
        let square = rest.b0 * rest.b0 + rest.b1 * rest.b1 + rest.b2 * rest.b2 + rest.a1 * rest.a1 + rest.a2 * rest.a2
        return square.max() < 1e-16 ? other : self
    }
}

/// The memory of eight sections in a row, and what each gave last.
struct SectionState: BitwiseCopyable, Sendable {
    private(set) var y = SIMD8<Double>.zero
    private var s1 = SIMD8<Double>.zero
    private var s2 = SIMD8<Double>.zero

    @_noLocks @_noAllocation
    init() {}

    /// Each section takes what the one before it gave a frame ago, the first takes `new`.
    @_noLocks @_noAllocation @inline(__always)
    mutating func step(_ bank: SectionBank, _ new: Double) {
        let x = rt_push8(y, new)
        y = rt_fmad8(bank.b0, x, s1)
        s1 = rt_fmad8(bank.a1, y, rt_fmad8(bank.b1, x, s2))
        s2 = rt_fmad8(bank.a2, y, rt_muld8(bank.b2, x))
    }

    /// The same where only sections that have a frame of this block move on.
    @_noLocks @_noAllocation
    mutating func step(_ bank: SectionBank, _ new: Double, time: Int, frames: Int) {
        let before = self
        step(bank, new)
        s1 = rt_during8(time, frames, s1, before.s1)
        s2 = rt_during8(time, frames, s2, before.s2)
    }
}
