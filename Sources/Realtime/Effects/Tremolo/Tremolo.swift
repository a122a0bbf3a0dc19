internal import CRealtime
internal import DSP

/// Periodic change of loudness. No latency, no tail.
public struct Tremolo: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Modulation frequency, Hz.
        public var rate: Float
        /// Share of the amplitude that is lost at the quietest point.
        public var depth: Float
        /// Waveform, from a sine (0) to a square whose edges take a hundredth of a period (1).
        public var shape: Float
        /// Phase lead of the right side, degrees; at 180 the sides alternate.
        public var phase: Float
    }

    private let rate: Float
    private var oscillator = Oscillator()
    private var frequency = Smoother()
    private var depth = Smoother()
    private var shape = Smoother()
    private var phase = Smoother()

    public let latency = 0

    public init(rate: Float, largestBlock: Int) { self.rate = rate }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { 0 }

    @_noLocks @_noAllocation
    public mutating func reset() {
        oscillator.reset()
        frequency.reset()
        depth.reset()
        shape.reset()
        phase.reset()
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let step = Oscillator.step(frequency.advance(to: settings.rate, share: share), rate: rate)
        let depths = depth.ramp(to: settings.depth, share: share, frames: frames)
        let shapes = shape.ramp(to: settings.shape, share: share, frames: frames)
        let phases = phase.ramp(to: settings.phase / 360, share: share, frames: frames)
        let isStereo = !phases.isZero
        let isSine = shapes.isZero
        var depth = RampLanes(depths)
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let turns = oscillator.turns(step: step)
            var leftWave = rt_sine16(turns)
            var rightWave = isStereo ? rt_sine16(rt_fold16(turns + phases.lanes(at))) : leftWave
            if !isSine {
                let drive = Self.drive(shapes.lanes(at))
                leftWave = Self.squared(leftWave, drive)
                rightWave = isStereo ? Self.squared(rightWave, drive) : leftWave
            }
            let half = depth.now * 0.5
            let middle = 1 - half
            left.setLanes(at, left.lanes(at) * rt_fma16(half, leftWave, middle))
            right.setLanes(at, right.lanes(at) * rt_fma16(half, rightWave, middle))
            depth.next()
            oscillator.advance(count, step: step)
            at = at &+ count
        }
    }

    /// Never 0, because the waveform is divided by it.
    @_noLocks @_noAllocation @inline(__always)
    private static func drive(_ shape: Lanes) -> Lanes { rt_fma16(shape * shape, rt_all16(30), rt_all16(0.02)) }

    @_noLocks @_noAllocation @inline(__always)
    private static func squared(_ wave: Lanes, _ drive: Lanes) -> Lanes {
        rt_tanh16(wave * drive) / rt_tanh16(drive)
    }
}
