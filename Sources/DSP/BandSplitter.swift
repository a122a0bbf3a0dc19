internal import CRealtime

/// Splits up to 64 interleaved channels into two complementary bands, Linkwitz-Riley of fourth order.
///
/// The sum of the bands is the input through a second-order allpass: flat in level, no added delay.
/// Two state-variable filters per channel (topology-preserving transform; Simper, "Linear trapezoidal
/// integrated state variable filter", Cytomic 2013): low is both low-passes in a row, high is the first one's
/// allpass minus low.
public struct BandSplitter: ~Copyable, Sendable {
    /// For one crossover frequency at one sample rate.
    public struct Coefficients: BitwiseCopyable, Sendable {
        let a1: Float
        let a2: Float
        let a3: Float

        /// - Parameters: hertz; the crossover lies below 0.45 of the rate.
        @_noLocks @_noAllocation
        public init(crossover: Float, rate: Float) {
            let g = rt_tan(.pi * min(crossover / rate, 0.45))
            a1 = 1 / (1 + g * (g + BandSplitter.damping))
            a2 = g * a1
            a3 = g * a2
        }
    }

    /// 1/Q of a Butterworth section, the half of a Linkwitz-Riley filter.
    static let damping: Float = 1.41421356

    /// Four integrators for each of 64 lanes: s1 s2 of the first filter, then of the second.
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let state: UnsafeMutablePointer<Lanes>

    public init() {
        state = .allocate(capacity: 16)
        state.initialize(repeating: .zero, count: 16)
    }

    deinit { state.deallocate() }

    /// Forgets the past.
    @_noLocks @_noAllocation
    public mutating func reset() {
        for i in 0..<16 { state[i] = .zero }
    }

    /// Splits `frames` frames.
    ///
    /// - Parameters:
    ///   - input: interleaved, `channels` apart from frame to frame, readable 15 samples past the end.
    ///   - low, high: interleaved, `roundedToLanes(channels)` apart from frame to frame.
    @_noLocks @_noAllocation
    public mutating func process(
        _ input: UnsafePointer<Float>, channels: Int, frames: Int, with coefficients: Coefficients,
        low: UnsafeMutablePointer<Float>, high: UnsafeMutablePointer<Float>
    ) {
        let stride = roundedToLanes(channels)
        let a1 = Lanes(repeating: coefficients.a1)
        let a2 = Lanes(repeating: coefficients.a2)
        let a3 = Lanes(repeating: coefficients.a3)
        let two = Lanes(repeating: 2)
        let allpass = Lanes(repeating: -2 * Self.damping)
        var group = 0
        while group &* laneCount < channels {
            let own = state + group &* 4
            var (s1, s2, t1, t2) = (own[0], own[1], own[2], own[3])
            var from = group &* laneCount
            var to = from
            for _ in 0..<frames {
                let x = input.lanes(from)
                let v3 = x - s2
                let v1 = rt_fma16(a2, v3, a1 * s1)
                let v2 = rt_fma16(a3, v3, rt_fma16(a2, s1, s2))
                s1 = rt_fma16(two, v1, -s1)
                s2 = rt_fma16(two, v2, -s2)
                let u3 = v2 - t2
                let u1 = rt_fma16(a2, u3, a1 * t1)
                let u2 = rt_fma16(a3, u3, rt_fma16(a2, t1, t2))
                t1 = rt_fma16(two, u1, -t1)
                t2 = rt_fma16(two, u2, -t2)
                low.setLanes(to, u2)
                high.setLanes(to, rt_fma16(allpass, v1, x - u2))
                from = from &+ channels
                to = to &+ stride
            }
            (own[0], own[1], own[2], own[3]) = (s1, s2, t1, t2)
            group = group &+ 1
        }
    }
}
