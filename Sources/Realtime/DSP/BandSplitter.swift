internal import CRealtime

/// Splits up to 64 interleaved channels into two complementary bands, Linkwitz-Riley of fourth order.
///
/// The sum of the bands is the input through a second-order allpass: flat in level, no added delay.
/// Two state-variable filters per channel (topology-preserving transform; Simper, "Linear trapezoidal integrated state
/// variable filter", Cytomic 2013): the low band is the output of both low-passes in series, the high band is the first
/// filter's allpass minus the low band.
public struct BandSplitter: ~Copyable, Sendable {
    /// Coefficients for one crossover frequency at one sampling rate.
    public struct Coefficients: BitwiseCopyable, Sendable {
        /// Feedback of an integrator, and gains from the input to the first integrator and to the second.
        let keep: Float
        let first: Float
        let second: Float

        /// - Parameters: Hz; the crossover has to be below 0.45 of the rate.
        @_noLocks @_noAllocation
        public init(crossover: Float, rate: Float) {
            let g = rt_tan(.pi * min(crossover / rate, 0.45))
            let a1 = 1 / (1 + g * (g + BandSplitter.damping))
            keep = 2 * a1 - 1
            first = 2 * g * a1
            second = g * first
        }
    }

    /// 1/Q of a Butterworth section, one half of a Linkwitz-Riley filter.
    static let damping: Float = 1.41421356

    /// Four integrators for each of 64 lanes: s1 s2 of the first filter, then of the second at twice their size.
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let state: UnsafeMutablePointer<Lanes>

    public init() {
        state = .allocate(capacity: 16)
        state.initialize(repeating: .zero, count: 16)
    }

    deinit { state.deallocate() }

    /// Clears the state.
    @_noLocks @_noAllocation
    public mutating func reset() {
        for i in 0..<16 { state[i] = .zero }
    }

    /// False when the state has left the ``SoundRange``.
    @_noLocks @_noAllocation
    public func isPlausible(channels: Int) -> Bool {
        var sum = Lanes.zero
        for i in 0..<(roundedToLanes(channels) / laneCount &* 4) { sum = rt_fma16(state[i], state[i], sum) }
        return rt_sum16(sum) < SoundRange.energy
    }

    /// Splits `frames` frames.
    ///
    /// - Parameters:
    ///   - input: interleaved, frames `channels` samples apart, readable 15 samples past the end.
    ///   - low, high: interleaved, frames `roundedToLanes(channels)` samples apart.
    @_noLocks @_noAllocation
    public mutating func process(
        _ input: UnsafePointer<Float>, channels: Int, frames: Int, with coefficients: Coefficients,
        low: UnsafeMutablePointer<Float>, high: UnsafeMutablePointer<Float>
    ) {
        let stride = roundedToLanes(channels)
        let keep = Lanes(repeating: coefficients.keep)
        let first = Lanes(repeating: coefficients.first)
        let second = Lanes(repeating: coefficients.second)
        let quarter = Lanes(repeating: 0.25)
        let allpass = Lanes(repeating: -Self.damping)
        var group = 0
        while group &* laneCount < channels {
            let own = state + group &* 4
            var (s1, s2, t1, t2) = (own[0], own[1], own[2], own[3])
            var from = group &* laneCount
            var to = from
            for _ in 0..<frames {
                // The mean of an integrator before and after a frame is the filter's output: s1 the band-pass, s2 the
                // low-pass. The factors of 1/2 are applied at the end.
                let x = input.lanes(from)
                let error = x - s2
                let band = s1
                let low1 = s2
                s2 = rt_fma16(second, error, rt_fma16(first, s1, s2))
                s1 = rt_fma16(first, error, keep * s1)
                let rest = (low1 + s2) - t2
                let low2 = t2
                t2 = rt_fma16(second, rest, rt_fma16(first, t1, t2))
                t1 = rt_fma16(first, rest, keep * t1)
                let bottom = (low2 + t2) * quarter
                low.setLanes(to, bottom)
                high.setLanes(to, rt_fma16(allpass, band + s1, x - bottom))
                from = from &+ channels
                to = to &+ stride
            }
            (own[0], own[1], own[2], own[3]) = (s1, s2, t1, t2)
            group = group &+ 1
        }
    }
}
