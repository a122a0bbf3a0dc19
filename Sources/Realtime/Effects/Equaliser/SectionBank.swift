internal import CRealtime
internal import DSP

/// Coefficients of eight second-order sections at rest.
struct SectionBank: BitwiseCopyable, Sendable {
    private(set) var b0 = SIMD8<Double>(repeating: 1)
    private(set) var b1 = SIMD8<Double>.zero
    private(set) var b2 = SIMD8<Double>.zero
    /// Stored negated, because they are added.
    private(set) var a1 = SIMD8<Double>.zero
    private(set) var a2 = SIMD8<Double>.zero

    @_noLocks @_noAllocation
    init() {}

    @_noLocks @_noAllocation
    mutating func set(_ index: Int, _ section: Section) {
        b0[index] = section.b0
        b1[index] = section.b1
        b2[index] = section.b2
        a1[index] = -section.a1
        a2[index] = -section.a2
    }
}
