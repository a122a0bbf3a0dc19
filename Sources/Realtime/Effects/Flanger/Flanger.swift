internal import CRealtime
internal import DSP

/// A copy of the sound with a short, modulated delay; together with the dry sound a comb filter with moving notches.
///
/// With equal parts of dry sound and no feedback, notches are at (k + 1/2) / delay. No latency.
public struct Flanger: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Sweep frequency, Hz.
        public var rate: Float
        /// Difference between the longest and the shortest delay, milliseconds.
        public var depth: Float
        /// Shortest delay, milliseconds.
        public var delay: Float
        /// Share of the delayed sound that is fed back.
        public var feedback: Float
        /// Phase lead of the right side, degrees.
        public var phase: Float
    }

    private let rate: Float
    private var copy: ModulatedDelay
    private var feedback = Smoother()
    /// Delays of the two sides and gains of the feedback, sixteen frames each, with room for as many beyond them.
    private let rows = Row(6 * laneCount)

    public let latency = 0

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        copy = ModulatedDelay(rate: rate, seconds: 0.016)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int {
        let longest = (settings.delay + settings.depth) * rate / 1000
        let loss = -20 * rt_log10(max(0.001, min(abs(settings.feedback), 0.95)))
        return Int(clamping: longest * (1 + 60 / loss))
    }

    @_noLocks @_noAllocation
    public mutating func reset() {
        copy.reset()
        feedback.reset()
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let samples = rate / 1000
        let modulation = copy.modulation(
            frames: frames, frequency: settings.rate, amplitude: settings.depth * samples / 2,
            shortest: max(settings.delay * samples, ModulatedDelay.shortest + 1.2), lead: settings.phase / 360)
        let feedbacks = feedback.ramp(to: settings.feedback, share: share, frames: frames)
        let isLoop = !feedbacks.isZero
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let course = copy.course(modulation, count: count)
            let delays = copy.delays(
                copy.turns(modulation), around: course.shortest + course.amplitude, amplitude: course.amplitude, modulation, at: at)
            let (left, right) = (leftSamples + at, rightSamples + at)
            if isLoop {
                feed(left, right, delays, feedbacks.lanes(at), count: count, modulation)
            } else {
                copy.write(left.lanes(0), right.lanes(0))
                let (wetLeft, wetRight) = copy.read(0, further: delays)
                copy.advance(count, modulation)
                left.setLanes(0, wetLeft, count: count)
                right.setLanes(0, wetRight, count: count)
            }
            at = at &+ count
        }
    }

    /// Processes up to sixteen frames with feedback. It has to be written before it is read: short delays take several parts.
    @_noLocks @_noAllocation @inline(__always)
    private mutating func feed(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ delays: (left: Lanes, right: Lanes), _ gains: Lanes,
        count: Int, _ modulation: ModulatedDelay.Modulation
    ) {
        let (rows, gap) = (rows.samples, 2 * laneCount)
        rows.setLanes(0, delays.left)
        rows.setLanes(gap, delays.right)
        rows.setLanes(2 * gap, gains)
        var done = 0
        while done < count {
            let further = (left: rows.lanes(done), right: rows.lanes(gap &+ done))
            let nearest = min(min(delays.left[0], delays.left[15]), min(delays.right[0], delays.right[15]))
            let part = min(count &- done, max(1, Int(clamping: nearest - 0.1 - ModulatedDelay.shortest)))
            let (xLeft, xRight) = ((left + done).lanes(0), (right + done).lanes(0))
            let (wetLeft, wetRight) = copy.read(0, further: further)
            let g = rows.lanes(2 * gap &+ done)
            copy.write(rt_fma16(g, wetLeft, xLeft), rt_fma16(g, wetRight, xRight))
            copy.advance(part, modulation)
            (left + done).setLanes(0, wetLeft, count: part)
            (right + done).setLanes(0, wetRight, count: part)
            done = done &+ part
        }
    }
}
