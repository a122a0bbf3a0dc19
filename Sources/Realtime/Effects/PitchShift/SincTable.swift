internal import CRealtime
internal import DSP
internal import Glibc

/// Weights that read a sound between its samples: a sinc under a Kaiser window over sixteen samples, with images below -85 dB
/// up to three fifths of half the rate.
struct SincTable: ~Copyable, Sendable {
    /// Samples before the position, itself included.
    static var before: Int { @_noLocks @_noAllocation get { 8 } }
    private static var phases: Int { @_noLocks @_noAllocation get { 512 } }

    private let rows: Row

    init() {
        func bessel(_ x: Double) -> Double {
            var (sum, term) = (1.0, 1.0)
            for k in 1..<40 {
                term *= x * x / (4 * Double(k * k))
                sum += term
            }
            return sum
        }
        rows = Row(16 * (Self.phases + 1))
        for phase in 0...Self.phases {
            for tap in 0..<16 {
                let distance = Double(phase) / Double(Self.phases) - Double(tap - Self.before + 1)
                let window = bessel(9 * max(0, 1 - distance * distance / 64).squareRoot()) / bessel(9)
                let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
                rows.samples[16 * phase + tap] = Float(sinc * window)
            }
        }
    }

    /// - Parameter fraction: position after the whole sample, 0 to 1.
    @_noLocks @_noAllocation @inline(__always)
    func weights(_ fraction: Float) -> Lanes {
        let place = fraction * Float(Self.phases)
        let phase = Int(clamping: place)
        let row = rows.samples + 16 &* phase
        return rt_fma16(rt_all16(place - Float(phase)), row.lanes(16) - row.lanes(0), row.lanes(0))
    }
}
