internal import CRealtime
internal import DSP

/// Low-pass from a rate to four times that rate, and from there back to twice the rate, with four rows of samples at the
/// lowest rate: two half-band filters in series, which leave every second sample unchanged.
///
/// Both have linear phase and are optimal in the minimax sense (Lawson's iteration): at 48 kHz flat to 20 kHz; the
/// first has its stop band from 28 kHz at -98 dB, the second from 76 kHz at -86 dB.
struct OversamplingFilter: ~Copyable, Sendable {
    /// Delay of the first filter in samples at the lower rate.
    static var first: Int { @_noLocks @_noAllocation get { 18 } }
    /// Delay of the second filter in samples at the lower rate, for each direction.
    static var second: Int { @_noLocks @_noAllocation get { 2 } }

    /// Half of the first filter's taps, from the end to the middle; then all taps of the second.
    private let taps = Row(18 + 8)

    init() {
        // From the middle to the end.
        let first: [Float] = [
            0.634515256, -0.205967459, 0.117168236, -0.077219824, 0.053890787, -0.038437170,
            0.027508968, -0.019531730, 0.013644933, -0.009314801, 0.006172850, -0.003942981,
            0.002407160, -0.001388973, 0.000745501, -0.000362802, 0.000152691, -0.000052215,
        ]
        let second: [Float] = [0.607015475, -0.136742042, 0.034940964, -0.005262835]
        for (i, tap) in first.enumerated() { taps.samples[17 - i] = tap }
        for (i, tap) in second.enumerated() { (taps.samples[18 + 3 - i], taps.samples[18 + 4 + i]) = (tap, tap) }
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
        for i in 0..<4 {
            a = rt_fma16(one.lanes(-i), rt_all16(taps[2 &* i]), a)
            b = rt_fma16(two.lanes(-i), rt_all16(taps[2 &* i &+ 1]), b)
        }
        return a + b
    }
}
