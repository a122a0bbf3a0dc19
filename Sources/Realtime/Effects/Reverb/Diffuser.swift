internal import CRealtime
internal import DSP

/// Four allpass filters in series, which spread an impulse over time without changing its spectrum (Schroeder 1962).
///
/// The filters ring: with the largest coefficient, the longest loses 60 dB in 139 ms. For shorter decays the coefficient is smaller
/// (``Diffusion``).
struct Diffuser: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let lines: UnsafeMutablePointer<DelayLine>
    private let delays: SIMD4<Int>
    /// The longest delay of any diffuser, milliseconds.
    static var longest: Float { @_noLocks @_noAllocation get { 10.3 } }

    /// - Parameter places: delays, milliseconds.
    init(rate: Float, places: SIMD4<Float>) {
        lines = .allocate(capacity: 4)
        var delays = SIMD4<Int>.zero
        for i in 0..<4 {
            delays[i] = max(laneCount, Int(clamping: places[i] * rate / 1000))
            (lines + i).initialize(to: DelayLine(longest: delays[i]))
        }
        self.delays = delays
    }

    deinit {
        lines.deinitialize(count: 4)
        lines.deallocate()
    }

    @_noLocks @_noAllocation
    func reset() {
        for i in 0..<4 { lines[i].reset() }
    }

    /// - Parameter g: coefficient.
    @_noLocks @_noAllocation @inline(__always)
    func process(_ x: Lanes, _ g: Lanes, count: Int) -> Lanes {
        var x = x
        for i in 0..<4 {
            let late = lines[i].read(delays[i])
            let fed = rt_fma16(-g, late, x)
            lines[i].write(fed)
            lines[i].advance(count)
            x = rt_fma16(g, fed, late)
        }
        return x
    }
}
