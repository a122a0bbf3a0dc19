internal import CRealtime
internal import Glibc

/// Weights of eight adjacent samples that interpolate between two of them.
///
/// A sinc with Kaiser's window (beta 4): for any fraction, up to a third of the rate, the level is within 0.03 dB and
/// the delay within 0.003 samples.
public struct FractionalTap: ~Copyable, Sendable {
    /// Number of samples.
    public static var count: Int { @_noLocks @_noAllocation get { 8 } }
    /// Delay in samples in addition to the fraction.
    public static var latency: Int { @_noLocks @_noAllocation get { 3 } }
    /// Rows of the table; weights between two rows are interpolated, which adds an error below 1e-4.
    private static var phases: Int { @_noLocks @_noAllocation get { 128 } }

    // SAFETY: owned by this value alone, which cannot be copied; written by the initializer only.
    private nonisolated(unsafe) let table: UnsafeMutablePointer<SIMD8<Float>>

    public init() {
        table = .allocate(capacity: Self.phases + 1)
        for phase in 0...Self.phases {
            let row = Self.row(fraction: Double(phase) / Double(Self.phases))
            (table + phase).initialize(to: row)
        }
    }

    deinit { table.deallocate() }

    /// Returns the weights; weight k is for the sample k before the newest. They delay by ``latency`` plus `fraction`
    /// samples.
    ///
    /// - Parameter fraction: 0 to 1.
    @_noLocks @_noAllocation @inline(__always)
    public func weights(_ fraction: Float) -> SIMD8<Float> {
        let place = fraction * Float(Self.phases)
        let row = min(Int(rt_whole(place)), Self.phases &- 1)
        let below = table[row]
        return below + (table[row &+ 1] - below) * (place - Float(row))
    }

    private static func row(fraction: Double) -> SIMD8<Float> {
        let shape = 4.0
        let half = Double(count) / 2
        var row = SIMD8<Double>.zero
        for k in 0..<count {
            let t = Double(k - latency) - fraction
            let sinc = t == 0 ? 1 : sin(.pi * t) / (.pi * t)
            row[k] = sinc * Bessel.first(shape * max(0, 1 - t * t / (half * half)).squareRoot())
        }
        return SIMD8<Float>(row / row.sum())
    }
}
