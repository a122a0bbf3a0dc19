internal import CRealtime
internal import DSP

/// Operators of one instruction each. Those of the standard library are loops over the sixteen samples, which the optimiser does not always
/// turn back into vectors.
extension SIMD16<Float> {
    @_noLocks @_noAllocation @inline(__always)
    static func + (a: Self, b: Self) -> Self { rt_add16(a, b) }
    @_noLocks @_noAllocation @inline(__always)
    static func - (a: Self, b: Self) -> Self { rt_sub16(a, b) }
    @_noLocks @_noAllocation @inline(__always)
    static func * (a: Self, b: Self) -> Self { rt_mul16(a, b) }
    @_noLocks @_noAllocation @inline(__always)
    static func / (a: Self, b: Self) -> Self { rt_div16(a, b) }
    @_noLocks @_noAllocation @inline(__always)
    static prefix func - (a: Self) -> Self { rt_negate16(a) }

    @_noLocks @_noAllocation @inline(__always)
    static func + (a: Self, b: Float) -> Self { rt_add16(a, rt_all16(b)) }
    @_noLocks @_noAllocation @inline(__always)
    static func - (a: Self, b: Float) -> Self { rt_sub16(a, rt_all16(b)) }
    @_noLocks @_noAllocation @inline(__always)
    static func - (a: Float, b: Self) -> Self { rt_sub16(rt_all16(a), b) }
    @_noLocks @_noAllocation @inline(__always)
    static func * (a: Self, b: Float) -> Self { rt_mul16(a, rt_all16(b)) }
    @_noLocks @_noAllocation @inline(__always)
    static func * (a: Float, b: Self) -> Self { rt_mul16(rt_all16(a), b) }

    @_noLocks @_noAllocation @inline(__always)
    static func += (a: inout Self, b: Self) { a = rt_add16(a, b) }
}
