internal import CRealtime
internal import DSP

/// The frequency ratio of a shift smoothed towards another one, without a step of its speed.
struct RatioSmoother: BitwiseCopyable, Sendable {
    /// Largest difference from the target that ends the smoothing, octaves: a fortieth of a cent.
    private static var tolerance: Float { @_noLocks @_noAllocation get { 2e-5 } }

    private let rate: Float
    /// Time constant of each of three low-passes, seconds.
    private let inertia: Float
    private var first = Smoother()
    private var second = Smoother()
    /// Present shift, octaves.
    private var octaves = Smoother()
    /// Present frequency ratio.
    private(set) var ratio = 1.0

    /// - Parameter inertia: time constant of each of three low-passes, seconds.
    init(rate: Float, inertia: Float) {
        self.rate = rate
        self.inertia = inertia
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        first.reset()
        second.reset()
        octaves.reset()
    }

    /// Advances by a number of frames towards a shift in octaves; the first one is adopted at once.
    /// - Returns: the ratio after them.
    @_noLocks @_noAllocation @inline(__always)
    @discardableResult
    mutating func advance(to target: Float, frames: Int) -> Double {
        guard octaves.value != target || second.value != target || first.value != target else { return ratio }
        let share = Smoother.share(frames: frames, rate: rate, seconds: inertia)
        let near = Self.tolerance
        let one = first.advance(to: target, share: share, tolerance: near)
        let two = second.advance(to: one, share: share, tolerance: near)
        let now = octaves.advance(to: two, share: share, tolerance: near)
        // In double precision: a hundredth of a cent is 6e-6 of the speed.
        ratio = rt_exp_double(Double(now) * 0.6931471805599453)
        return ratio
    }
}
