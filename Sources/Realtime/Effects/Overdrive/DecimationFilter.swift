internal import CRealtime
internal import DSP

/// Low-pass from twice a rate to that rate, with a row for each phase of the higher rate.
///
/// Linear phase, optimal in the minimax sense (Parks and McClellan): at 48 kHz flat to 20 kHz within 0.01 dB, with a stop
/// band from 24 kHz at -75 dB. A half-band filter would let aliases pass between 20 and 24 kHz.
struct DecimationFilter: ~Copyable, Sendable {
    /// Delay in samples at the lower rate.
    static var delay: Int { @_noLocks @_noAllocation @inline(__always) get { 24 } }

    /// Taps from the middle to the end.
    private let taps = Row(49)

    init() {
        let values: [Float] = [
            0.913081121, 0.630212409, 0.085923100, -0.192536543, -0.081561860, 0.095710236, 0.074671667, -0.049207925,
            -0.065777307, 0.021157025, 0.055532408, -0.003009486, -0.044652010, -0.008571439, 0.033841427, 0.015320132,
            -0.023730688, -0.018401681, 0.014822318, 0.018756936, -0.007455710, -0.017209699, 0.001797244, 0.014491584,
            0.002155697, -0.011226884, -0.004546884, 0.007915713, 0.005624026, -0.004922009, -0.005695973, 0.002471186,
            0.005087959, -0.000662081, -0.004103005, -0.000511469, 0.002996569, 0.001128285, -0.001953487, -0.001319300,
            0.001098885, 0.001213097, -0.000465243, -0.000973649, 0.000102981, 0.000636287, 0.000135001, -0.000543580,
            -0.000304819,
        ]
        for (i, value) in values.enumerated() { taps.samples[i] = value }
    }

    /// Returns sixteen samples at the lower rate, with gain 2, ``delay`` samples after `even`.
    ///
    /// - Parameters:
    ///   - even: the phase that coincides with the lower rate, after twice ``delay`` samples of history.
    ///   - odd: the phase half a sample later.
    @_noLocks @_noAllocation @inline(__always)
    func decimated(_ even: UnsafeMutablePointer<Float>, _ odd: UnsafeMutablePointer<Float>) -> Lanes {
        let taps = taps.samples
        let (middle, later) = (even - Self.delay, odd - Self.delay)
        var (a, b) = (middle.lanes(0) * taps[0], Lanes.zero)
        for i in 0..<Self.delay {
            b = rt_fma16(later.lanes(i) + later.lanes(-1 &- i), rt_all16(taps[2 &* i &+ 1]), b)
            a = rt_fma16(middle.lanes(i &+ 1) + middle.lanes(-1 &- i), rt_all16(taps[2 &* i &+ 2]), a)
        }
        return a + b
    }
}
