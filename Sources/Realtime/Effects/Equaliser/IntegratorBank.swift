internal import CRealtime
internal import DSP

/// Eight second-order sections, each a loop of two integrators, during the change from one filter to another.
///
/// A direct form stores sums in which large numbers nearly cancel, so that changing coefficients make it ring and click. Integrators store
/// the filter's state independently of frequency and width, so that changing these makes no step. During a change, every section is a
/// filter of the same type as before and after: frequency and width change by equal ratios, gains linearly. Source: Zavalishin, "The Art of
/// VA Filter Design", 2018, chapter 4; for its stability under modulation: Wishnick, "Time-varying filters for musical applications", 2014.
struct IntegratorBank: BitwiseCopyable, Sendable {
    /// tan(pi frequency / rate).
    private(set) var g = SIMD8<Double>(repeating: 1)
    /// Damping: width divided by frequency.
    private var k = SIMD8<Double>(repeating: 1)
    /// Gain of the input and, relative to it, of the band-pass and low-pass outputs.
    private(set) var all = SIMD8<Double>(repeating: 1)
    private var middle = SIMD8<Double>.zero
    private(set) var low = SIMD8<Double>.zero

    @_noLocks @_noAllocation
    init() {}

    /// Sets a section to the same filter as `section`.
    @_noLocks @_noAllocation
    mutating func set(_ index: Int, _ section: Section) {
        let atZero = 1 + section.a1 + section.a2
        let atHalf = 1 - section.a1 + section.a2
        g[index] = rt_sqrt_double(atZero / atHalf)
        k[index] = 2 * (1 - section.a2) / rt_sqrt_double(atZero * atHalf)
        let high = (section.b0 - section.b1 + section.b2) / atHalf
        all[index] = high
        middle[index] = (section.b0 - section.b2) / (1 - section.a2) - high
        low[index] = (section.b0 + section.b1 + section.b2) / atZero - high
    }

    /// Sets a section to pass everything, at its present frequency and width.
    @_noLocks @_noAllocation
    mutating func setThrough(_ index: Int) {
        all[index] = 1
        middle[index] = 0
        low[index] = 0
    }

    @_noLocks @_noAllocation
    func equals(_ other: IntegratorBank) -> Bool {
        g == other.g && k == other.k && all == other.all && middle == other.middle && low == other.low
    }

    /// Step per frame that completes `share` of the way to `other` in `frames`; relative for `g` and `k`.
    @_noLocks @_noAllocation
    func step(to other: IntegratorBank, share: Double, frames: Int) -> IntegratorBank {
        var step = IntegratorBank.still
        let part = share / Double(frames)
        for i in 0..<8 where g[i] != other.g[i] || k[i] != other.k[i] {
            step.g[i] = part * rt_log_double(other.g[i] / g[i])
            step.k[i] = part * rt_log_double(other.k[i] / k[i])
        }
        step.all = (other.all - all) * part
        step.middle = (other.middle - middle) * part
        step.low = (other.low - low) * part
        return step
    }

    /// A step of no change.
    static var still: IntegratorBank {
        @_noLocks @_noAllocation get {
            var bank = IntegratorBank()
            (bank.g, bank.k, bank.all) = (.zero, .zero, .zero)
            return bank
        }
    }

    /// Advances by one step.
    @_noLocks @_noAllocation @inline(__always)
    mutating func advance(_ step: IntegratorBank) {
        g = rt_fmad8(g, step.g, g)
        k = rt_fmad8(k, step.k, k)
        all = rt_addd8(all, step.all)
        middle = rt_addd8(middle, step.middle)
        low = rt_addd8(low, step.low)
    }

    /// Blends this step with another, to avoid corners, which would excite resonances.
    @_noLocks @_noAllocation @inline(__always)
    mutating func lean(to other: IntegratorBank) {
        let part = SIMD8<Double>(repeating: 1.0 / 64)
        g = rt_fmad8(part, rt_subd8(other.g, g), g)
        k = rt_fmad8(part, rt_subd8(other.k, k), k)
        all = rt_fmad8(part, rt_subd8(other.all, all), all)
        middle = rt_fmad8(part, rt_subd8(other.middle, middle), middle)
        low = rt_fmad8(part, rt_subd8(other.low, low), low)
    }

    /// Changes only sections that have a frame in this block; the others keep their values of `before`.
    @_noLocks @_noAllocation
    mutating func hold(_ before: IntegratorBank, time: Int, frames: Int) {
        g = rt_during8(time, frames, g, before.g)
        k = rt_during8(time, frames, k, before.k)
        all = rt_during8(time, frames, all, before.all)
        middle = rt_during8(time, frames, middle, before.middle)
        low = rt_during8(time, frames, low, before.low)
    }

    /// True when the remaining difference and the step are inaudible.
    @_noLocks @_noAllocation
    func isNear(_ other: IntegratorBank, step: IntegratorBank) -> Bool {
        let (x, y) = (g / other.g - 1, k / other.k - 1)
        let (a, m, l) = (all - other.all, middle - other.middle, low - other.low)
        let way = x * x + y * y + a * a + m * m + l * l
        let speed = step.g * step.g + step.k * step.k + step.all * step.all + step.middle * step.middle + step.low * step.low
        return way.max() < 1e-16 && speed.max() < 1e-16
    }

    /// 1 / (1 + k g + g^2): gain of the delay-free loop.
    var share: SIMD8<Double> {
        @_noLocks @_noAllocation @inline(__always) get {
            let one = SIMD8<Double>(repeating: 1)
            return rt_divd8(one, rt_fmad8(g, rt_addd8(g, k), one))
        }
    }

    /// Gain of the first integrator's output.
    var band: SIMD8<Double> { @_noLocks @_noAllocation @inline(__always) get { rt_muld8(middle, k) } }

    /// Matrix by rows from integrator states to the states of the direct form with the same output.
    @_noLocks @_noAllocation
    func sounding(
        _ direct: SectionBank
    ) -> (SIMD8<Double>, SIMD8<Double>, SIMD8<Double>, SIMD8<Double>) {
        let (share, band) = (share, band)
        let one = SIMD8<Double>(repeating: 1)
        // Output of each state in the next frame without input, and in the one after.
        let first = (share, g * share)
        let second = (-g * share, one - g * g * share)
        let now = (band * first.0 + low * first.1, band * second.0 + low * second.1)
        let firstLeft = (2 * first.0 - one, 2 * first.1)
        let secondLeft = (2 * second.0, 2 * second.1 - one)
        let then = (
            now.0 * firstLeft.0 + now.1 * firstLeft.1, now.0 * secondLeft.0 + now.1 * secondLeft.1
        )
        return (now.0, now.1, then.0 - direct.a1 * now.0, then.1 - direct.a1 * now.1)
    }
}
