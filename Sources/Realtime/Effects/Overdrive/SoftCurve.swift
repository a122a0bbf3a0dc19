internal import CRealtime
internal import DSP

/// tanh.
enum SoftCurve {
    @_noLocks @_noAllocation @inline(__always)
    static func value(_ x: Lanes) -> Lanes { rt_tanh16(x) }

    /// ln cosh x is |x| - ln 2 and this rest.
    @_noLocks @_noAllocation @inline(__always)
    static func rest(_ x: Lanes) -> Lanes {
        rt_log2_16(rt_exp2_16(rt_abs16(x) * -2.8853901) + 1) * 0.6931472
    }
}
