internal import CRealtime
internal import DSP

/// The curves of ``Overdrive``, each with its share, over one block.
struct Waveshaper: BitwiseCopyable, Sendable {
    private let drive: Ramp
    /// Share of each curve.
    private let shares: VectorRamp<SIMD4<Float>>

    @_noLocks @_noAllocation
    init(drive: Ramp, shares: VectorRamp<SIMD4<Float>>) {
        self.drive = drive
        self.shares = shares
    }

    /// - Parameters:
    ///   - before: input a quarter of a frame earlier, without drive, like `x`.
    ///   - frame: index of the first of sixteen.
    @_noLocks @_noAllocation @inline(__always)
    func apply(_ x: Lanes, before: Lanes, frame: Int) -> Lanes {
        let drive = drive.lanes(frame)
        let driven = x * drive
        var y = Lanes.zero
        if !shares[0].isZero { y = rt_fma16(share(0, frame), rt_tanh16(driven), y) }
        if !shares[1].isZero { y = rt_fma16(share(1, frame), Self.clipped(before * drive, driven), y) }
        // The offset tanh(0.4) is subtracted, and the slope at 0 is scaled to 1.
        if !shares[2].isZero { y = rt_fma16(share(2, frame), (rt_tanh16(driven + 0.4) - 0.37994896) * 1.1687, y) }
        if !shares[3].isZero { y = rt_fma16(share(3, frame), rt_sine16(rt_fold16(driven * 0.15915494)), y) }
        return y
    }

    @_noLocks @_noAllocation @inline(__always)
    private func share(_ curve: Int, _ frame: Int) -> Lanes { shares[curve].lanes(frame) }

    /// Mean of the clipped line from `a` to `b` (Parker, Zavalishin and Le Bivic, "Reducing the aliasing of
    /// nonlinear waveshaping using continuous-time convolution", DAFx 2016).
    @_noLocks @_noAllocation @inline(__always)
    private static func clipped(_ a: Lanes, _ b: Lanes) -> Lanes {
        let step = b - a
        let isSmall = rt_all16(1e-3) - rt_abs16(step)
        let safe = rt_select_less16(.zero, isSmall, rt_all16(1), step)
        let mean = (antiderivative(b) - antiderivative(a)) / safe
        return rt_select_less16(.zero, isSmall, clipped((a + b) * 0.5), mean)
    }

    /// Half the width of the parabolic corner around full scale.
    private static var corner: Float { @_noLocks @_noAllocation @inline(__always) get { 0.25 } }

    /// Linear up to 0.75, constant from 1.25.
    @_noLocks @_noAllocation @inline(__always)
    private static func clipped(_ x: Lanes) -> Lanes {
        let size = rt_min16(rt_abs16(x), rt_all16(1 + corner))
        let over = rt_max16(size - (1 - corner), .zero)
        let y = rt_fma16(over * over, rt_all16(-0.25 / corner), size)
        return rt_select_less16(x, .zero, -y, y)
    }

    /// Antiderivative of ``clipped(_:)``.
    @_noLocks @_noAllocation @inline(__always)
    private static func antiderivative(_ x: Lanes) -> Lanes {
        let size = rt_abs16(x)
        let inside = rt_min16(size, rt_all16(1 + corner))
        let over = rt_max16(inside - (1 - corner), .zero)
        return rt_fma16(inside * 0.5, inside, size - inside) - over * over * over * (1 / (12 * corner))
    }
}
