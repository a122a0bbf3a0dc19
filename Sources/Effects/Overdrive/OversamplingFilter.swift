internal import CRealtime
internal import DSP
internal import Glibc

/// The low-pass between a rate and four times that rate, both ways, as four rows of samples at the lower rate.
///
/// A sinc under a Kaiser window, 100 dB down, flat to 20 kHz and closed from 28 kHz at 48 kHz. Every fourth tap but
/// the middle one is 0, so that one of the four rows is the input itself.
struct OversamplingFilter: ~Copyable, Sendable {
    /// Samples at the lower rate, each way.
    static var delay: Int { @_noLocks @_noAllocation get { 20 } }
    static var taps: Int { @_noLocks @_noAllocation get { 40 } }

    /// Tap j of row p: the impulse response at j - 20 + p / 4 samples, for interpolation; a row of `taps` each.
    private let rows = Row(4 * 40)

    init() {
        for phase in 0..<4 {
            for tap in 0..<Self.taps {
                let x = Float(tap - Self.delay) + Float(phase) / 4
                let window = Self.bessel(10 * sqrtf(max(0, 1 - (x / 20) * (x / 20)))) / Self.bessel(10)
                rows.samples[phase * Self.taps + tap] = x == 0 ? 1 : sinf(.pi * x) / (.pi * x) * window
            }
        }
    }

    /// The modified Bessel function of order 0.
    private static func bessel(_ x: Float) -> Float {
        var term: Double = 1
        var sum: Double = 1
        for k in 1..<40 {
            term *= (Double(x) / 2 / Double(k)) * (Double(x) / 2 / Double(k))
            sum += term
        }
        return Float(sum)
    }

    /// Sixteen samples of rows 1 to 3 from the input, `input[0]` being the newest of the first frame.
    @_noLocks @_noAllocation @inline(__always)
    func up(_ input: UnsafeMutablePointer<Float>) -> (Lanes, Lanes, Lanes) {
        var (a, b, c) = (Lanes.zero, Lanes.zero, Lanes.zero)
        let taps = rows.samples
        for tap in 0..<Self.taps {
            let x = input.lanes(-tap)
            a = rt_fma16(x, rt_all16(taps[Self.taps &+ tap]), a)
            b = rt_fma16(x, rt_all16(taps[2 &* Self.taps &+ tap]), b)
            c = rt_fma16(x, rt_all16(taps[3 &* Self.taps &+ tap]), c)
        }
        return (a, b, c)
    }

    /// Sixteen samples of the input's rate from the four rows, each at its newest sample of the first frame.
    @_noLocks @_noAllocation @inline(__always)
    func down(
        _ zero: UnsafeMutablePointer<Float>, _ one: UnsafeMutablePointer<Float>, _ two: UnsafeMutablePointer<Float>,
        _ three: UnsafeMutablePointer<Float>
    ) -> Lanes {
        var (a, b, c) = (Lanes.zero, Lanes.zero, Lanes.zero)
        let taps = rows.samples
        // The response mirrored: row p lies p / 4 after its sample.
        for tap in 1...Self.taps {
            let mirrored = Self.taps &- tap
            a = rt_fma16(one.lanes(-tap), rt_all16(taps[Self.taps &+ mirrored]), a)
            b = rt_fma16(two.lanes(-tap), rt_all16(taps[2 &* Self.taps &+ mirrored]), b)
            c = rt_fma16(three.lanes(-tap), rt_all16(taps[3 &* Self.taps &+ mirrored]), c)
        }
        return (zero.lanes(-Self.delay) + a + b + c) * 0.25
    }
}
