internal import CRealtime
internal import DSP

/// Echoes at equal intervals: up to six, or endless ones by feedback.
///
/// The time may be a note length. A new time is approached gradually, as on tape, which shifts the pitch meanwhile; at
/// rest, echoes are at whole samples. The tone filter is inside the loop, so that each endless repeat is darker.
/// No latency.
public struct Delay: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Milliseconds between echoes.
        public var time: Float
        /// Index of a ``NoteLength`` used instead of `time`; 0 is none.
        public var sync: Float
        /// Number of echoes; 0 is endless.
        public var repeats: Float
        /// Level of each echo relative to the one before.
        public var feedback: Float
        /// Cutoff frequency of the low-pass filter in the loop, Hz; off at the upper end.
        public var tone: Float
        /// On: echoes alternate between left and right.
        public var pingPong: Float

        /// Settings with the time that the note lasts at a tempo.
        ///
        /// The time is halved until the last repeat is over within ``Delay/span``; endless repeats count as one.
        ///
        /// - Parameter tempo: quarter notes per minute.
        @_noLocks @_noAllocation
        public func following(tempo: Float) -> Settings {
            let quarters = NoteLength.quarters(Int(clamping: sync))
            guard quarters > 0 else { return self }
            var following = self
            following.sync = 0
            following.time = quarters * 60_000 / max(1, tempo)
            let longest = 1000 * Delay.span / max(1, rt_floor(repeats + 0.5))
            while following.time > longest { following.time *= 0.5 }
            return following
        }

        public var interval: Float? { time }
    }

    /// Length of the delay lines in seconds.
    public static var span: Float { @_noLocks @_noAllocation get { 6 } }
    /// Largest change of the time between echoes, seconds per second.
    private static var fastest: Double { @_noLocks @_noAllocation get { 0.5 } }
    private static var taps: Int { @_noLocks @_noAllocation get { 6 } }

    private let rate: Float
    /// Longest delay of a tap, samples.
    private let longest: Double
    private var left: DelayLine
    private var right: DelayLine
    private var smoother: DelaySmoother
    private var gains = SIMD8<Float>.zero
    private var feedback = Smoother()
    private var crossing = Smoother()
    private var tone = Smoother()
    private var coefficients = LowPass.Coefficients(pole: 0)
    private var leftTone = LowPass()
    private var rightTone = LowPass()

    public let latency = 0

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        let longest = Int(clamping: rate * Self.span) + 16
        self.longest = Double(longest)
        smoother = DelaySmoother(rate: rate)
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int {
        let apart = settings.time * rate / 1000
        if settings.repeats >= 1 { return Int(clamping: apart * rt_floor(settings.repeats + 0.5)) }
        guard settings.feedback > 0.001 else { return Int(clamping: apart) }
        // Number of passes that lose 60 dB.
        return Int(clamping: apart * (1 + 60 / (-20 * rt_log10(min(settings.feedback, 0.95)))))
    }

    @_noLocks @_noAllocation
    public mutating func reset() {
        left.reset()
        right.reset()
        leftTone.reset()
        rightTone.reset()
        smoother.reset()
        feedback.reset()
        crossing.reset()
        tone.reset()
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let isFresh = smoother.delay < 0
        let repeats = Int(clamping: min(6, max(0, rt_floor(settings.repeats + 0.5))))
        let isEndless = repeats == 0
        let wanted = gains(repeats, settings.feedback)
        let gainsBefore = isFresh ? wanted : gains
        gains = Smoother.next(gainsBefore, to: wanted, share: share, tolerance: 1e-5)
        let ramps = VectorRamp(from: gainsBefore, to: gains, frames: frames)
        let several = gains[1] + gainsBefore[1] > 0
        // While finite and endless echoes overlap, the loop gain has to stay below 1.
        let loop = (isEndless ? settings.feedback : 0) / max(1, gains.sum())
        let feedback = feedback.ramp(to: loop, share: share, frames: frames)
        let crossing = crossing.ramp(to: settings.pingPong > 0.5 ? 1 : 0, share: share, frames: frames)
        setTone(settings.tone, share: share)
        let target = Double(max(8, rt_floor(settings.time * rate / 1000 + 0.5)))
        if isFresh { smoother.jump(to: target) }
        let limit = several ? 0.15 : Self.fastest

        let first = ramps[0]
        var at = 0
        if !several && smoother.isResting(at: target) {
            at = rest(leftSamples, rightSamples, frames: frames, gain: first, feedback: feedback, crossing: crossing)
        }
        while at < frames {
            // Feedback has to be written before it is read: a delay that becomes shorter allows fewer frames at once.
            let shrinkage = smoother.isResting(at: target) ? 1 : 1 + Self.fastest
            let count = min(laneCount, min(frames &- at, Int(clamping: (smoother.delay - 4) / shrinkage)))
            let step = smoother.advance(to: target, limit: limit, frames: count)
            let xLeft = leftSamples.lanes(at)
            let xRight = rightSamples.lanes(at)
            let p = crossing.lanes(at)
            let firstGain = first.lanes(at)
            var wetLeft = firstGain * tap(left, 1, step)
            var wetRight = firstGain * tap(right, 1, step)
            if several {
                for k in 2...Self.taps {
                    let gain = ramps[k &- 1].value(at: at &+ 7)
                    guard gain != 0 else { break }
                    let fromLeft = tap(left, k, step) * gain
                    let fromRight = tap(right, k, step) * gain
                    // In ping-pong, even echoes go to the right, and only the left line gets input.
                    wetLeft += k & 1 == 0 ? fromLeft * (1 - p) : fromLeft
                    wetRight += fromRight * (1 - p) + (k & 1 == 0 ? fromLeft * p : .zero)
                }
            }
            if coefficients.pole > 0 {
                wetLeft = leftTone.lowPass(wetLeft, count: count, coefficients)
                wetRight = rightTone.lowPass(wetRight, count: count, coefficients)
            }
            let g = feedback.lanes(at)
            let turned = p * (wetRight - wetLeft)
            left.write(rt_fma16(g, wetLeft + turned, rt_fma16(p * 0.5, xRight - xLeft, xLeft)))
            right.write(rt_fma16(g, wetRight - turned, rt_fma16(-p, xRight, xRight)))
            left.advance(count)
            right.advance(count)
            leftSamples.setLanes(at, wetLeft, count: count)
            rightSamples.setLanes(at, wetRight, count: count)
            at = at &+ count
        }
    }

    /// Processes the common case, one tap at a whole sample, in whole vectors. Returns the number of frames processed.
    @_noLocks @_noAllocation
    private mutating func rest(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        gain: Ramp, feedback: Ramp, crossing: Ramp
    ) -> Int {
        let whole = Int(clamping: smoother.delay)
        guard whole > laneCount &+ 4 else { return 0 }
        var gain = RampLanes(gain)
        var feedback = RampLanes(feedback)
        var cross = RampLanes(crossing)
        let isCrossed = !crossing.isZero
        let half = rt_all16(0.5)
        let coefficients = coefficients
        var (leftTone, rightTone) = (leftTone, rightTone)
        var at = 0
        while at &+ laneCount <= frames {
            let xLeft = leftSamples.lanes(at)
            let xRight = rightSamples.lanes(at)
            let wetLeft = leftTone.lowPass(gain.now * left.read(whole), count: laneCount, coefficients)
            let wetRight = rightTone.lowPass(gain.now * right.read(whole), count: laneCount, coefficients)
            if isCrossed {
                let turned = cross.now * (wetRight - wetLeft)
                let fed = rt_fma16(cross.now * half, xRight - xLeft, xLeft)
                left.write(rt_fma16(feedback.now, wetLeft + turned, fed))
                right.write(rt_fma16(feedback.now, wetRight - turned, xRight - cross.now * xRight))
                cross.next()
            } else {
                left.write(rt_fma16(feedback.now, wetLeft, xLeft))
                right.write(rt_fma16(feedback.now, wetRight, xRight))
            }
            left.advance(laneCount)
            right.advance(laneCount)
            leftSamples.setLanes(at, wetLeft)
            rightSamples.setLanes(at, wetRight)
            gain.next()
            feedback.next()
            at = at &+ laneCount
        }
        (self.leftTone, self.rightTone) = (leftTone, rightTone)
        return at
    }

    /// Level of each echo; endless echoes have one tap.
    @_noLocks @_noAllocation
    private func gains(_ repeats: Int, _ ratio: Float) -> SIMD8<Float> {
        var gains = SIMD8<Float>.zero
        var gain: Float = 1
        for k in 0..<max(1, repeats) {
            gains[k] = gain
            gain *= ratio
        }
        return gains
    }

    @_noLocks @_noAllocation
    private mutating func setTone(_ target: Float, share: Float) {
        let before = tone.value
        let cutoff = tone.advance(to: target, share: share)
        guard cutoff != before else { return }
        coefficients = cutoff >= 19_999 ? .init(pole: 0) : .init(cutoff: cutoff, rate: rate)
    }

    /// Sixteen frames of echo `k` of a line. During a change from few repeats to many, echoes beyond the end of the line are read at
    /// its end.
    @_noLocks @_noAllocation
    private func tap(_ line: borrowing DelayLine, _ k: Int, _ step: DelaySmoother.Step) -> Lanes {
        let place = step.from * Double(k)
        let whole = Int(clamping: min(longest, place))
        if step.speed == 0 && step.acceleration == 0 && place == Double(whole) { return line.read(whole) }
        let speed = rt_all16(Float(step.speed * Double(k)))
        let curve = rt_all16(Float(step.acceleration * Double(k) * 0.5))
        let change = Ramp.count * rt_fma16(Ramp.count, curve, speed) + Float(place - Double(whole))
        return line.read(whole, exactly: rt_min16(change, rt_all16(Float(longest - Double(whole)))))
    }
}
