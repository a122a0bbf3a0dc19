internal import CRealtime

/// A length that follows its target as a critically damped spring does, with a limited speed.
///
/// A target that moves steadily is followed at exactly its speed, at a distance of two time constants.
public struct Follower: BitwiseCopyable, Sendable {
    /// Present length.
    public private(set) var value: Double
    private var speed = 0.0

    @_noLocks @_noAllocation
    public init(_ value: Double) { self.value = value }

    /// Advances by one block.
    ///
    /// - Parameters:
    ///   - seconds: length of the block.
    ///   - time: time constant, seconds.
    ///   - fastest: largest speed, units per second.
    @_noLocks @_noAllocation
    public mutating func advance(to target: Double, seconds: Double, time: Double, fastest: Double) {
        let error = value - target
        let change = speed + error / time
        let decay = rt_exp_double(-seconds / time)
        let next = target + (error + change * seconds) * decay
        speed = (speed - change * seconds / time) * decay
        let most = fastest * seconds
        if abs(next - value) > most {
            let sign: Double = next < value ? -1 : 1
            value += sign * most
            speed = sign * fastest
        } else {
            value = next
        }
        if abs(value - target) < 1e-6, abs(speed) < 1e-6 {
            value = target
            speed = 0
        }
    }
}
