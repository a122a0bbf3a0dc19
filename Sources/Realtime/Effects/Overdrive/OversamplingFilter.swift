internal import CRealtime
internal import DSP

/// Low-pass from a rate to four times that rate, and from there back to twice the rate, with four rows of samples at the
/// lowest rate: two half-band filters in series, which leave every second sample unchanged.
///
/// Both have linear phase and are optimal in the minimax sense (Lawson's iteration): at 48 kHz flat to 20 kHz; the second has its stop band
/// from 76 kHz at -119 dB. The first, from 28 kHz, has -88 dB, and -118 dB from 44 kHz: this keeps the image of a tone below 4 kHz small,
/// which becomes aliases with the curve `fold` and 40 dB of drive.
struct OversamplingFilter: ~Copyable, Sendable {
    /// Delay of the first filter in samples at the lower rate.
    static var first: Int { @_noLocks @_noAllocation get { 18 } }
    /// Delay of the second filter in samples at the lower rate, for each direction.
    static var second: Int { @_noLocks @_noAllocation get { 3 } }

    /// Half of the first filter's taps, from the end to the middle; then all taps of the second.
    private let taps = Row(18 + 12)

    init() {
        // From the middle to the end.
        let first: [Float] = [
            0.634428679, -0.205713688, 0.116764484, -0.076692868, 0.053274287, -0.037768423,
            0.026825538, -0.018868155, 0.013030189, -0.008770370, 0.005711962, -0.003570641,
            0.002121065, -0.001181182, 0.000604064, -0.000274450, 0.000101887, -0.000023004,
        ]
        let second: [Float] = [0.616424533, -0.158254044, 0.055287204, -0.016613586, 0.003556288, -0.000400925]
        for (i, tap) in first.enumerated() { taps.samples[17 - i] = tap }
        for (i, tap) in second.enumerated() { (taps.samples[18 + 5 - i], taps.samples[18 + 6 + i]) = (tap, tap) }
    }

    /// Interpolates between sixteen samples and the next, 18 samples after `newest`.
    @_noLocks @_noAllocation @inline(__always)
    func between(_ newest: UnsafeMutablePointer<Float>) -> Lanes {
        var (a, b) = (Lanes.zero, Lanes.zero)
        let taps = taps.samples
        var tap = 0
        while tap < 18 {
            a = rt_fma16(newest.lanes(-tap) + newest.lanes(tap &- 35), rt_all16(taps[tap]), a)
            b = rt_fma16(newest.lanes(-1 &- tap) + newest.lanes(tap &- 34), rt_all16(taps[tap &+ 1]), b)
            tap = tap &+ 2
        }
        return a + b
    }

    /// The same with the second filter for a row at twice the rate, whose samples alternate between `one` and `two`.
    @_noLocks @_noAllocation @inline(__always)
    func between(_ one: UnsafeMutablePointer<Float>, _ two: UnsafeMutablePointer<Float>) -> Lanes {
        var (a, b) = (Lanes.zero, Lanes.zero)
        let taps = taps.samples + 18
        for i in 0..<6 {
            a = rt_fma16(one.lanes(-i), rt_all16(taps[2 &* i]), a)
            b = rt_fma16(two.lanes(-i), rt_all16(taps[2 &* i &+ 1]), b)
        }
        return a + b
    }
}
