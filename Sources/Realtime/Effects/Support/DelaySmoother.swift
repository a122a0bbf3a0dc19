internal import CRealtime
internal import DSP

/// Moves a delay to another one, without a step of its speed: meanwhile a tone changes its pitch, and no other sound is added.
///
/// The speed follows the remaining distance through three low-passes, whose time constants are short enough that the delay does
/// not overshoot. At the end the delay is the target exactly.
struct DelaySmoother: BitwiseCopyable, Sendable {
    /// The delay over a few frames: `from` before the first one, then a parabola.
    struct Step: BitwiseCopyable {
        let from: Double
        /// Change per frame before the first frame.
        let speed: Double
        /// Change of the speed per frame.
        let acceleration: Double

        /// Delays of sixteen frames.
        var lanes: Lanes {
            @_noLocks @_noAllocation @inline(__always) get {
                let count = Ramp.count
                return rt_fma16(
                    count, rt_fma16(count, rt_all16(Float(acceleration * 0.5)), rt_all16(Float(speed))), rt_all16(Float(from)))
            }
        }
    }

    /// Share of the distance per second.
    private static var approach: Double { @_noLocks @_noAllocation get { 1 / Double(SmoothingTime.delay) } }
    /// Time constant of each low-pass, seconds.
    private static var inertia: Double { @_noLocks @_noAllocation get { 0.01 } }

    private let rate: Double
    /// Present delay, samples; negative before the first target.
    private(set) var delay = -1.0
    /// Outputs of the low-passes, samples per frame; the third is the speed.
    private var first = 0.0
    private var second = 0.0
    private var speed = 0.0

    init(rate: Float) { self.rate = Double(rate) }

    @_noLocks @_noAllocation
    mutating func reset() { jump(to: -1) }

    /// Sets the delay without a transition.
    @_noLocks @_noAllocation
    mutating func jump(to target: Double) {
        delay = target
        first = 0
        second = 0
        speed = 0
    }

    /// Whether the delay stays at a target.
    @_noLocks @_noAllocation
    func isResting(at target: Double) -> Bool { delay == target && first == 0 && second == 0 && speed == 0 }

    /// Advances by up to sixteen frames.
    ///
    /// - Parameter limit: largest speed, samples per frame.
    @_noLocks @_noAllocation
    mutating func advance(to target: Double, limit: Double, frames: Int) -> Step {
        let (from, before, count) = (delay, speed, Double(frames))
        let rest = target - from
        if abs(rest) < 0.002 && abs(first) + abs(second) + abs(speed) < 3e-5 {
            jump(to: target)
            return Step(from: from, speed: rest / count, acceleration: 0)
        }
        let wanted = max(-limit, min(limit, rest * Self.approach / rate))
        let share = 1 - Double(rt_exp(Float(-count / (Self.inertia * rate))))
        first = Smoother.next(first, to: wanted, share: share)
        second = Smoother.next(second, to: first, share: share)
        speed = Smoother.next(speed, to: second, share: share)
        delay += (before + speed) * 0.5 * count
        return Step(from: from, speed: before, acceleration: (speed - before) / count)
    }
}
