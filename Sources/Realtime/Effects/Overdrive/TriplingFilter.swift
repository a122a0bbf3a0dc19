internal import CRealtime
internal import DSP

/// Low-pass between four times a rate and twelve times that rate in both directions.
///
/// Linear phase, optimal in the minimax sense (Lawson's iteration): at 48 kHz, points between samples are exact to -131 dB up to 20 kHz,
/// and on the way back, sound that would alias into that band is attenuated by 87 dB.
struct TriplingFilter: ~Copyable, Sendable {
    /// Delay in samples at the lowest rate, for each direction.
    static var delay: Int { @_noLocks @_noAllocation get { 1 } }

    /// For each pair of taps: its sum and its difference at one third, then the taps of the way back from the middle to the end.
    private let taps = Row(8 + 8)

    init() {
        let values: [Float] = [
            0.588780306, 0.196179229, -0.109250971, -0.012088730, 0.023045950, 0.001518402, -0.002575417, -0.000119772,
            0.329692738, 0.284950444, 0.099882901, 0.002524746, -0.047568343, -0.011095860, -0.000705928, 0.007165671,
        ]
        for (i, value) in values.enumerated() { taps.samples[i] = value }
    }

    /// Returns the points at one and at two thirds between two neighbouring phases.
    ///
    /// - Parameters:
    ///   - rows: four phases.
    ///   - phase: the earlier neighbour.
    @_noLocks @_noAllocation @inline(__always)
    func thirds(_ rows: borrowing PhaseRows, after phase: Int, _ at: Int) -> (one: Lanes, two: Lanes) {
        var (even, odd) = (Lanes.zero, Lanes.zero)
        for i in 0..<4 {
            let (before, behind) = (rows.samples(phase &- i, at).lanes(0), rows.samples(phase &+ 1 &+ i, at).lanes(0))
            even = rt_fma16(before + behind, rt_all16(taps.samples[2 &* i]), even)
            odd = rt_fma16(before - behind, rt_all16(taps.samples[2 &* i &+ 1]), odd)
        }
        return (even + odd, even - odd)
    }

    /// Returns the filtered sound at one of twelve phases.
    @_noLocks @_noAllocation @inline(__always)
    func filtered(_ rows: borrowing PhaseRows, phase: Int, _ at: Int) -> Lanes {
        let taps = taps.samples + 8
        var sum = rows.samples(phase, at).lanes(0) * taps[0]
        for i in 1..<8 {
            sum = rt_fma16(
                rows.samples(phase &- i, at).lanes(0) + rows.samples(phase &+ i, at).lanes(0), rt_all16(taps[i]), sum)
        }
        return sum
    }
}
