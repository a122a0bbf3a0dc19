internal import CRealtime
internal import DSP

/// Level of the input of ``Overdrive``, for drive and level that follow it.
///
/// It rises within 5 ms and falls within 3 s, so that notes keep the sustain that distortion gives them.
struct DriveFollower: BitwiseCopyable, Sendable {
    /// Mean square at which following changes nothing: -20 dBFS.
    private static var reference: Float { @_noLocks @_noAllocation get { 0.01 } }
    /// Largest deviation from it, powers of two: 20 dB.
    private static var range: Float { @_noLocks @_noAllocation get { 3.3219281 } }
    private static var rise: Float { @_noLocks @_noAllocation get { 0.005 } }
    private static var fall: Float { @_noLocks @_noAllocation get { 3 } }

    private let rate: Float
    private var power: Float = 0
    private var share = Smoother()

    @_noLocks @_noAllocation
    init(rate: Float) { self.rate = rate }

    @_noLocks @_noAllocation
    mutating func reset() {
        power = 0
        share.reset()
    }

    /// Advances by one block of input.
    ///
    /// - Parameters:
    ///   - wanted: share of the level to follow, 0 to 1.
    ///   - step: share of the way to it that this block covers.
    /// - Returns: binary logarithm of the factor by which drive and level treat the input as too loud; 0 when nothing follows it.
    @_noLocks @_noAllocation
    mutating func advance(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int, share wanted: Float, step: Float
    ) -> Float {
        let share = share.advance(to: wanted, share: step)
        guard share > 0 else {
            power = 0
            return 0
        }
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let (x, y) = (left.lanes(at), right.lanes(at))
            let edge = rt_all16(Float(count) + 0.5)
            let sum = rt_sum16(rt_select_less16(Ramp.count, edge, rt_fma16(x, x, y * y), .zero))
            let now = sum / Float(2 &* count)
            let time = now > power ? Self.rise : Self.fall
            power = Smoother.next(power, to: now, share: min(1, Float(count) / (time * rate)))
            at = at &+ count
        }
        let octaves = 0.5 * rt_log2_16(rt_all16(power / Self.reference + 1e-9))[0]
        return share * max(-Self.range, min(Self.range, octaves))
    }
}
