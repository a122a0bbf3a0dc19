internal import CRealtime
internal import DSP

/// Clipping: linear up to 0.75, constant from 1.25.
enum HardCurve {
    /// Half the width of the parabolic corner around full scale.
    private static var corner: Float { @_noLocks @_noAllocation @inline(__always) get { 0.25 } }

    @_noLocks @_noAllocation @inline(__always)
    static func value(_ x: Lanes) -> Lanes {
        let size = rt_min16(rt_abs16(x), rt_all16(1 + corner))
        let over = rt_max16(size - (1 - corner), .zero)
        let y = rt_fma16(over * over, rt_all16(-0.25 / corner), size)
        return rt_select_less16(x, .zero, -y, y)
    }

    @_noLocks @_noAllocation @inline(__always)
    static func rest(_ x: Lanes) -> Lanes {
        let inside = rt_min16(rt_abs16(x), rt_all16(1 + corner))
        let over = rt_max16(inside - (1 - corner), .zero)
        return rt_fma16(inside * 0.5, inside, -inside) - over * over * over * (1 / (12 * corner))
    }
}
