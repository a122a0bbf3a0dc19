internal import CRealtime
internal import DSP

/// Changes the pitch at constant speed: the sound is read faster or slower than it is written, and the reader jumps
/// where the waveform repeats.
///
/// Between jumps every partial is shifted exactly; a jump covers the lag with the highest correlation, found to a
/// fraction of a sample, so that periodic sound continues seamlessly. Both sides jump together.
/// The output is 2 to 30 ms late, which varies while the pitch is shifted; the declared latency is the middle, to which
/// unshifted sound keeps exactly. Frequencies that would alias are removed first.
///
/// To keep formants, the spectral envelope is removed by linear prediction before the sound is written and restored
/// after it was read; the range that would come from above half the rate of the input stays empty.
///
/// This method has low latency; the other settings of the quality use ``PhaseVocoder``.
public struct PitchShift: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Shift, semitones.
        public var semitones: Float
        /// Additional shift, cents.
        public var cents: Float
        /// On: the spectral envelope is not shifted.
        public var formants: Float
        /// 0 for low latency, 1 for the phase vocoder, 2 for that with long frames; holds as long as the effect exists.
        public var quality: Float
    }

    private let rate: Float
    private let splicer: Splicer
    private var antialiasing: AntialiasingFilter
    private var inputLeft: DelayLine
    private var inputRight: DelayLine
    private var left: DelayLine
    private var right: DelayLine
    private var decimated: DecimatedMix
    /// Position of the reader, samples behind the newest.
    private var delay: Double
    /// Distance from it to the position of the reader that is fading out.
    private var distance: Double = 0
    /// Progress of the crossfade, 0 to 1.
    private var fade: Float = 1
    private var fadeStep: Float = 0
    private var formants: FormantPreserver
    private var keptGuarding: AntialiasingFilter
    /// Like `left` and `right`, without the envelope.
    private var leftRest: DelayLine
    private var rightRest: DelayLine
    /// Crossfade to the sound with preserved formants.
    private var keeping = Smoother()
    /// Frames since the setting to keep formants was last on, and frames in the lines without the envelope.
    private var unwanted = 1 << 40
    private var filled = 1 << 40
    private var smoother: RatioSmoother

    // SAFETY: owned by this value alone, which cannot be copied; nil at low latency.
    private nonisolated(unsafe) let vocoder: UnsafeMutablePointer<PhaseVocoder>?

    public let latency: Int

    public init(rate: Float, largestBlock: Int) { self.init(rate: rate, quality: 0) }

    public init(rate: Float, largestBlock: Int, settings: Settings, response: ResponseSpectra?) {
        self.init(rate: rate, quality: settings.quality)
    }

    private init(rate: Float, quality: Float) {
        let isHigh = quality > 0.5
        self.rate = rate
        var latency = Splicer(rate: rate).middle + AntialiasingFilter.delay
        if isHigh {
            let vocoder = UnsafeMutablePointer<PhaseVocoder>.allocate(capacity: 1)
            vocoder.initialize(to: PhaseVocoder(rate: rate, isLong: quality > 1.5))
            latency = vocoder.pointee.latency
            self.vocoder = vocoder
        } else {
            vocoder = nil
        }
        self.latency = latency
        splicer = Splicer(rate: rate)
        smoother = RatioSmoother(rate: rate, inertia: isHigh ? 0.025 : 0.015)
        antialiasing = AntialiasingFilter(rate: rate)
        let reach = FormantPreserver.reach(rate: rate)
        inputLeft = DelayLine(longest: reach)
        inputRight = DelayLine(longest: reach)
        left = DelayLine(longest: splicer.longest)
        right = DelayLine(longest: splicer.longest)
        decimated = DecimatedMix(longest: splicer.longest)
        formants = FormantPreserver(rate: rate, longest: splicer.longest + AntialiasingFilter.delay)
        keptGuarding = AntialiasingFilter(rate: rate)
        leftRest = DelayLine(longest: splicer.longest)
        rightRest = DelayLine(longest: splicer.longest)
        delay = Double(splicer.middle)
    }

    deinit {
        guard let vocoder else { return }
        vocoder.deinitialize(count: 1)
        vocoder.deallocate()
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { vocoder == nil ? splicer.longest : latency }

    @_noLocks @_noAllocation
    public mutating func reset() {
        antialiasing.reset()
        inputLeft.reset()
        inputRight.reset()
        left.reset()
        right.reset()
        decimated.reset()
        clearKept()
        filled = 1 << 40
        keeping.reset()
        delay = Double(splicer.middle)
        fade = 1
        smoother.reset()
        if let vocoder { vocoder.pointee.reset() }
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let octaves = (settings.semitones + settings.cents / 100) / 12
        smoother.advance(to: octaves, frames: 0)
        if let vocoder {
            vocoder.pointee.set(ratio: smoother.advance(to: octaves, frames: frames), keepsFormants: settings.formants > 0.5)
            return run(vocoder, leftSamples, rightSamples, frames)
        }
        antialiasing.set(ratio: smoother.ratio)
        let isKeeping = wantsKeeping(settings.formants > 0.5, frames)
        // The residual is inaudible until the lines are filled with it.
        let isFull = filled >= splicer.longest &+ splicer.middle
        let kept = keeping.ramp(to: settings.formants > 0.5 && isFull ? 1 : 0, share: share, frames: frames)
        if isKeeping { keptGuarding.set(ratio: smoother.ratio) }
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            // From frame to frame the reader falls behind by this much, which changes evenly while the ratio is smoothed.
            let before = 1 - smoother.ratio
            let after = 1 - smoother.advance(to: octaves, frames: count)
            if fade >= 1 { jumpIfDue(after) }
            var (xLeft, xRight) = (leftSamples.lanes(at), rightSamples.lanes(at))
            inputLeft.write(xLeft)
            inputRight.write(xRight)
            if isKeeping {
                var (restLeft, restRight) = (xLeft, xRight)
                formants.whiten(inputLeft, inputRight, &restLeft, &restRight, count: count)
                keptGuarding.process(&restLeft, &restRight, count: count)
                leftRest.write(restLeft)
                rightRest.write(restRight)
            }
            antialiasing.process(&xLeft, &xRight, count: count)
            left.write(xLeft)
            right.write(xRight)
            decimated.append(xLeft + xRight, count: count)
            // If the pitch jumps during a crossfade, both readers stay within the written samples.
            let first = fade < 1 ? min(delay, delay + distance) : delay
            let last = fade < 1 ? max(delay, delay + distance) : delay
            let highest = (Double(splicer.longest &- 64) - last) / Double(laneCount)
            let lowest = (4 - first) / Double(laneCount)
            let (begin, end) = (min(max(before, lowest), highest), min(max(after, lowest), highest))
            let drift = (begin + end) * 0.5
            let bend = rt_all16(Float((end - begin) / Double(2 &* count)))
            let course = rt_fma16(rt_all16(Float(begin)), Ramp.count, bend * Ramp.count * Ramp.count)
            let whole = Int(clamping: delay)
            let further = course + rt_all16(Float(delay - Double(whole)))
            var wetLeft = left.read(whole, further: further)
            var wetRight = right.read(whole, further: further)
            var (keptLeft, keptRight) = (Lanes.zero, Lanes.zero)
            if isKeeping {
                keptLeft = leftRest.read(whole, further: further)
                keptRight = rightRest.read(whole, further: further)
                formants.colour(
                    &keptLeft, &keptRight, count: count, places: (delay, delay + drift * Double(count)), isOld: false)
            }
            if fade < 1 {
                let old = delay + distance
                let oldWhole = Int(clamping: old)
                let oldFurther = course + rt_all16(Float(old - Double(oldWhole)))
                let line = rt_min16(rt_fma16(rt_all16(fadeStep), Ramp.count, rt_all16(fade)), rt_all16(1))
                // Smoothstep: 3 x^2 - 2 x^3.
                let weight = line * line * (3 - (line + line))
                let oldLeft = left.read(oldWhole, further: oldFurther)
                let oldRight = right.read(oldWhole, further: oldFurther)
                wetLeft = rt_fma16(weight, wetLeft - oldLeft, oldLeft)
                wetRight = rt_fma16(weight, wetRight - oldRight, oldRight)
                if isKeeping {
                    var oldLeft = leftRest.read(oldWhole, further: oldFurther)
                    var oldRight = rightRest.read(oldWhole, further: oldFurther)
                    formants.colour(
                        &oldLeft, &oldRight, count: count, places: (old, old + drift * Double(count)), isOld: true)
                    keptLeft = rt_fma16(weight, keptLeft - oldLeft, oldLeft)
                    keptRight = rt_fma16(weight, keptRight - oldRight, oldRight)
                }
                fade += fadeStep * Float(count)
            }
            if isKeeping {
                formants.match(&keptLeft, &keptRight, count: count, plain: (wetLeft, wetRight))
                let k = kept.lanes(at)
                wetLeft = rt_fma16(k, keptLeft - wetLeft, wetLeft)
                wetRight = rt_fma16(k, keptRight - wetRight, wetRight)
                leftRest.advance(count)
                rightRest.advance(count)
            }
            inputLeft.advance(count)
            inputRight.advance(count)
            left.advance(count)
            right.advance(count)
            delay += drift * Double(count)
            leftSamples.setLanes(at, wetLeft)
            rightSamples.setLanes(at, wetRight)
            at = at &+ count
        }
    }

    /// Processes a block by the phase vocoder.
    @_noLocks @_noAllocation
    private mutating func run(
        _ vocoder: UnsafeMutablePointer<PhaseVocoder>, _ leftSamples: UnsafeMutablePointer<Float>,
        _ rightSamples: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        var at = 0
        while at < frames {
            let count = min(laneCount, min(frames &- at, vocoder.pointee.room))
            var (left, right) = (leftSamples.lanes(at), rightSamples.lanes(at))
            vocoder.pointee.process(&left, &right, count: count)
            leftSamples.setLanes(at, left, count: count)
            rightSamples.setLanes(at, right, count: count)
            at = at &+ count
        }
    }

    /// Keeps preserving formants until the fade is over, and for a while in case the setting returns.
    /// - Returns: whether formants are kept in this block.
    @_noLocks @_noAllocation
    private mutating func wantsKeeping(_ isWanted: Bool, _ frames: Int) -> Bool {
        let wasKeeping = unwanted < Int(clamping: rate / 2)
        unwanted = isWanted ? 0 : min(1 << 40, unwanted &+ frames)
        let isKeeping = unwanted < Int(clamping: rate / 2)
        if isKeeping && !wasKeeping { clearKept() }
        filled = isKeeping ? min(1 << 40, filled &+ frames) : 0
        return isKeeping
    }

    @_noLocks @_noAllocation
    private mutating func clearKept() {
        formants.reset()
        keptGuarding.reset()
        leftRest.reset()
        rightRest.reset()
    }

    /// Jumps to a similar position before the reader runs out of sound or falls too far behind.
    @_noLocks @_noAllocation
    private mutating func jumpIfDue(_ drift: Double) {
        let length = splicer.fade(drift: drift)
        let isShort = drift < 0 && delay < Double(splicer.nearest) - drift * Double(length &+ laneCount)
        let isLate = drift > 0 && delay > Double(splicer.farthest)
        // Without a shift, the sound has the declared latency.
        let isAstray = drift == 0 && delay != Double(splicer.middle)
        guard isShort || isLate || isAstray else { return }
        let jump =
            isAstray
            ? Double(splicer.middle) - delay : splicer.jump(from: delay, backwards: isShort, left, right, decimated)
        delay += jump
        distance = -jump
        if unwanted < Int(clamping: rate / 2) { formants.part() }
        fade = 0
        fadeStep = 1 / Float(length)
    }
}
