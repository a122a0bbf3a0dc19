internal import CRealtime
internal import Glibc

/// Weights of 32 adjacent samples that interpolate between the two in the middle, for delays that move while they sound.
///
/// A sinc with Kaiser's window (beta 9): up to 0.4 of the rate, everything besides the signal is more than 80 dB below it.
public struct SincTaps: ~Copyable, Sendable {
    /// Number of samples.
    public static var count: Int { @_noLocks @_noAllocation get { 32 } }
    /// Smallest delay, samples: half of the weights are for samples after the interpolated one.
    public static var least: Int { @_noLocks @_noAllocation get { 16 } }
    /// Rows of the table; weights between two rows are interpolated, which adds an error below 1e-5.
    private static var phases: Int { @_noLocks @_noAllocation get { 256 } }

    // SAFETY: owned by this value alone, which cannot be copied; written by the initializer only.
    private nonisolated(unsafe) let table: UnsafeMutablePointer<Float>

    public init() {
        table = .allocateAligned((Self.phases + 1) * Self.count)
        for phase in 0...Self.phases { Self.fill(table + phase * Self.count, fraction: Double(phase) / Double(Self.phases)) }
    }

    deinit { table.deallocate() }

    private static func fill(_ row: UnsafeMutablePointer<Float>, fraction: Double) {
        let half = Double(count) / 2
        var sum = 0.0
        func weight(_ k: Int) -> Double {
            let t = Double(k) - half + fraction
            let sinc = t == 0 ? 1 : sin(.pi * t) / (.pi * t)
            return sinc * Bessel.first(9 * max(0, 1 - t * t / (half * half)).squareRoot())
        }
        for k in 0..<count { sum += weight(k) }
        for k in 0..<count { row[k] = Float(weight(k) / sum) }
    }

    /// The value at `fraction` samples before `samples[16]`.
    ///
    /// - Parameters:
    ///   - samples: 32 samples, the oldest first.
    ///   - fraction: 0 to 1.
    @_noLocks @_noAllocation @inline(__always)
    public func value(_ samples: UnsafePointer<Float>, _ fraction: Float) -> Float {
        let (w0, w1) = weights(fraction)
        return rt_sum16(rt_fma16(w1, samples.lanes(16), w0 * samples.lanes(0)))
    }

    /// The weights of 32 samples, the oldest first.
    /// - Parameter fraction: 0 to 1.
    @_noLocks @_noAllocation @inline(__always)
    func weights(_ fraction: Float) -> (Lanes, Lanes) {
        let place = fraction * Float(Self.phases)
        let phase = max(0, min(Int(rt_whole(place)), Self.phases &- 1))
        let row = table + phase &* Self.count
        let share = rt_all16(place - Float(phase))
        let (a0, a1) = (row.lanes(0), row.lanes(16))
        return (rt_fma16(row.lanes(32) - a0, share, a0), rt_fma16(row.lanes(48) - a1, share, a1))
    }
}
