internal import CRealtime
internal import DSP

/// Rises at once and decays by a pole: y[n] = max(x[n], pole y[n - 1]) for non-negative x, sixteen at a time.
struct PeakFollower: BitwiseCopyable, Sendable {
    private var previous = Lanes.zero

    @_noLocks @_noAllocation @inline(__always)
    mutating func reset() { previous = .zero }

    @_noLocks @_noAllocation @inline(__always)
    mutating func follow(_ x: Lanes, count: Int, _ pole: LowPass.Coefficients) -> Lanes {
        let y = pole.peaks(x, after: previous)
        previous = count == laneCount ? rt_last16(y) : rt_all16(y[count &- 1])
        return y
    }
}
