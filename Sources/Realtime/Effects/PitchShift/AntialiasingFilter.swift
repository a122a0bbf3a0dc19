internal import CRealtime
internal import DSP
internal import Glibc

/// Removes frequencies that would be shifted above half the rate and alias.
///
/// A Chebyshev low-pass of sixteenth order with 0.05 dB of ripple, -50 dB at 1.15 times its edge; without a shift it passes the input
/// exactly. In both cases it delays by ``delay`` samples, in addition to the delay of its poles. A new edge is faded in by a filter that
/// has run for some time already: a jump of the coefficients, or the start of a filter of this order, would be heard as ringing.
struct AntialiasingFilter: ~Copyable, Sendable {
    /// Each of its eight sections delays by one frame.
    static var delay: Int { @_noLocks @_noAllocation get { 7 } }
    private static let ripple = 0.05
    /// Duration of the fade to another edge, seconds, and the settling time before it relative to that.
    private static let fadeTime: Float = 0.016
    private static var settling: Float { @_noLocks @_noAllocation get { 2 } }
    /// Edge relative to the frequency that is shifted to half the rate.
    private static var edge: Double { @_noLocks @_noAllocation get { 0.87 } }

    /// Analogue poles: twice the real part, and the square of the magnitude.
    private var doubled = SIMD8<Double>.zero
    private var squared = SIMD8<Double>.zero
    private var heard = Filter()
    private var coming = Filter()
    /// Progress of the fade to the new edge: negative while the new filter settles, 1 after the fade.
    private var fade: Float = 1
    private let fadeStep: Float
    private var ratio = 1.0

    private struct Filter: BitwiseCopyable {
        var bank = SectionBank()
        var left = SectionState()
        var right = SectionState()

        @_noLocks @_noAllocation
        init() {}

        @_noLocks @_noAllocation @inline(__always)
        mutating func step(_ x: SIMD2<Float>) -> SIMD2<Float> {
            left.step(bank, Double(x[0]))
            right.step(bank, Double(x[1]))
            return SIMD2(Float(left.y[7]), Float(right.y[7]))
        }
    }

    init(rate: Float) {
        fadeStep = 1 / (Self.fadeTime * rate)
        let order = 16.0
        let unevenness = (rt_exp_double(Self.ripple * 0.23025850929940458) - 1).squareRoot()
        let arc = asinh(1 / unevenness) / order
        for i in 0..<8 {
            let angle = .pi * (2 * Double(i) + 1) / (2 * order)
            let real = -sinh(arc) * sin(angle)
            let imaginary = cosh(arc) * cos(angle)
            doubled[i] = 2 * real
            squared[i] = real * real + imaginary * imaginary
        }
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        if fade < 1 { heard.bank = coming.bank }
        fade = 1
        heard.left = SectionState()
        heard.right = SectionState()
    }

    /// - Parameter ratio: frequency ratio of the shift. During a fade it has to be passed again.
    @_noLocks @_noAllocation
    mutating func set(ratio: Double) {
        guard ratio != self.ratio, fade >= 1 else { return }
        coming = Filter()
        fade = -Self.settling
        self.ratio = ratio
        guard ratio > 1 else { return }
        let sine = rt_sine_double(.pi / 2 * Self.edge / ratio)
        let k = sine / rt_sqrt_double(1 - sine * sine)
        for i in 0..<8 {
            let (m, d) = (squared[i] * k * k, doubled[i] * k)
            let scale = 1 / (1 - d + m)
            coming.bank.set(
                i, Section(b0: m * scale, b1: 2 * m * scale, b2: m * scale, a1: 2 * (m - 1) * scale, a2: (1 + d + m) * scale))
        }
    }

    /// Processes sixteen frames of both sides, of which `count` are valid.
    @_noLocks @_noAllocation @inline(__always)
    mutating func process(_ leftSamples: inout Lanes, _ rightSamples: inout Lanes, count: Int) {
        for i in 0..<count {
            let x = SIMD2(leftSamples[i], rightSamples[i])
            var y = heard.step(x)
            if fade < 1 {
                let new = coming.step(x)
                fade += fadeStep
                // A polynomial without a step in its first two derivatives.
                let f = max(0, fade)
                y += (new - y) * (f * f * f * (f * (6 * f - 15) + 10))
                if fade >= 1 { heard = coming }
            }
            leftSamples[i] = y[0]
            rightSamples[i] = y[1]
        }
    }
}
