package import Binaural
internal import CRealtime
package import DSP

/// Renders one listener from a prepared scene: two ears of the recording, the sound objects, and the output chain.
///
/// Takes plain values only, so that the audio thread, a worker thread or a browser can call it alike. Methods that only read are
/// `mutating` nevertheless, where every block calls them: a borrowed value of this size is copied for each call.
package struct ListenerRenderer: ~Copyable, Sendable {
    private var left: EarMixer
    private var right: EarMixer
    private var gain = Smoother()
    private var earAzimuth: Float = 90
    /// Azimuths of both ears in the world, degrees.
    private var azimuths = SIMD2<Float>.zero
    /// Cosine and sine of the angle between nose and ear.
    private var nose = SIMD2<Float>(0, 1)
    /// Whether a rack of the output chain has slots.
    package private(set) var hasRack = false
    /// Whether the protecting limiter was active in the last block.
    package private(set) var isProtected: Bool
    /// Latency of the output chain for the recording, samples.
    package private(set) var chainLatency: Int
    /// Latency of live input in this listener's output chain, samples.
    package private(set) var inputLatency: Int
    /// Keep the ears in range after the output chain, and before it.
    private var outputRange: RangeGuard
    private var earRange: RangeGuard
    // SAFETY: owned by this value alone, which cannot be copied; apart, so that listeners stay small, and used only where it
    // changes something.
    private nonisolated(unsafe) let chain: UnsafeMutablePointer<OutputChain>
    private let objectEars: ObjectEars
    private var ownCounts = RangeCounts()
    private let rate: Float

    /// - Parameters:
    ///   - chain: the processing after the ears.
    ///   - objects: number of sound objects.
    ///   - reflections: largest number of reflections of each object.
    ///   - period: largest block, frames.
    ///   - rate: frames per second.
    package init(chain: consuming OutputChain, objects: Int, reflections: Int = 0, period: Int, rate: Float) {
        (isProtected, chainLatency, inputLatency) = (chain.isProtected, chain.latency, chain.inputLatency)
        self.chain = .allocate(capacity: 1)
        self.chain.initialize(to: chain)
        self.rate = rate
        let frame = SpectralFrame(rate: rate)
        left = EarMixer(.left, frame: frame, period: period, rate: rate)
        right = EarMixer(.right, frame: frame, period: period, rate: rate)
        objectEars = ObjectEars(count: objects, reflections: reflections)
        earRange = RangeGuard(rate: rate)
        outputRange = RangeGuard(rate: rate)
    }

    deinit {
        chain.deinitialize(count: 1)
        chain.deallocate()
    }

    /// Bands of the scene that this listener needs in the coming block.
    @_noLocks @_noAllocation
    package mutating func bands(_ method: InterpolationMethod) -> BandSet { left.bands(method) | right.bands(method) }

    /// Whether HRTF filters are in use in the coming block.
    @_noLocks @_noAllocation
    package mutating func usesHRTF(_ method: InterpolationMethod) -> Bool { method == .hrtf || left.usesHRTF || right.usesHRTF }

    /// Prepares for another array.
    @_noLocks @_noAllocation
    package mutating func changeArray(isSameCount: Bool) {
        if isSameCount {
            left.leave()
            right.leave()
        } else {
            left.reset()
            right.reset()
        }
    }

    /// Renders one block into `work.ears`.
    ///
    /// - Parameters:
    ///   - scene: the recording and the objects, prepared for this block.
    ///   - ring: the array; nil without a recording.
    ///   - settings: its method is one whose bands the scene was prepared with.
    ///   - head: unit quaternion w x y z at the block's end, head to world.
    ///   - hrtf: filters of the method `hrtf`; nil without any.
    ///   - objectHRTF: ears of the sound objects.
    ///   - comparison: conditions of a listening test; nil while none runs.
    ///   - input: live input to be added; nil when there is none.
    @_noLocks @_noAllocation
    package mutating func render(
        _ scene: borrowing PreparedScene, _ ring: UnsafePointer<RingLookup>?, _ objects: borrowing PreparedObjects,
        _ settings: ListenerSettings, head: SIMD4<Float>, hrtf: FilterBankView?, objectHRTF: ObjectHRTFChoice = ObjectHRTFChoice(),
        comparison: UnsafeMutablePointer<ComparisonStage>? = nil, input: InputView?, block: Block, work: borrowing RenderWork
    ) -> EarLevels {
        if let ring {
            renderRecording(scene, ring.pointee, settings, head: head, hrtf: hrtf, block: block, work: work)
        } else {
            rt_zero(work.ears.row(0), block.frames)
            rt_zero(work.ears.row(1), block.frames)
        }
        if objects.activeCount > 0 {
            objectEars.mix(
                objects, head: head, nose: nose(settings.earAzimuth), front: settings.front, hrtf: objectHRTF, frames: block.frames,
                work: work)
        }
        // Without a rack or a limiter in between, the check of the output covers the ears.
        let isHidden = hasRack || settings.isProtected || comparison != nil
        if isHidden {
            let verdict = earRange.admit(work.ears.row(0), work.ears.row(1), frames: block.frames)
            if !verdict.isPlausible { healEars(verdict) }
        }
        if let comparison { comparison.pointee.process(work.ears.row(0), work.ears.row(1), frames: block.frames) }
        let level = gain.ramp(to: settings.gain, share: block.gainShare, frames: block.frames, tolerance: 1e-5)
        if hasRack || settings.isProtected || isProtected || input != nil || !level.isOne {
            runChain(settings, level: level, input: input, block: block, work: work)
        }
        let levels = measure(work.ears, block.frames)
        let output = outputRange.admit(
            work.ears.row(0), work.ears.row(1), frames: block.frames, energy: levels.energy[0] + levels.energy[1])
        guard !output.isPlausible else { return levels }
        if !isHidden { clearEars() }
        healOutput(output)
        return measure(work.ears, block.frames)
    }

    /// Number of times that sound out of range was replaced.
    package var counts: RangeCounts { @_noLocks @_noAllocation mutating get { ownCounts + chain.pointee.counts } }

    /// Processes both ears in the output chain.
    @_noLocks @_noAllocation @inline(never)
    private mutating func runChain(
        _ settings: ListenerSettings, level: Ramp, input: InputView?, block: Block, work: borrowing RenderWork
    ) {
        let chain = chain
        chain.pointee.process(work.ears.row(0), work.ears.row(1), settings, level: level, input: input, block: block)
        if isProtected != settings.isProtected { followChain() }
    }

    /// Follows changes of the output chain, so that blocks need not look into it: its memory is not in a cache.
    @_noLocks @_noAllocation
    private mutating func followChain() {
        let chain = chain
        (isProtected, hasRack) = (chain.pointee.isProtected, chain.pointee.hasRack)
        (chainLatency, inputLatency) = (chain.pointee.latency, chain.pointee.inputLatency)
    }

    @_noLocks @_noAllocation @inline(never)
    private mutating func healEars(_ verdict: SoundRange.Verdict) {
        ownCounts.note(verdict)
        clearEars()
    }

    /// Forgets the weights, the spectral frames and the HRTF-filtered sound of both ears.
    @_noLocks @_noAllocation
    private mutating func clearEars() {
        left.reset()
        right.reset()
        azimuths = .zero
    }

    @_noLocks @_noAllocation @inline(never)
    private mutating func healOutput(_ verdict: SoundRange.Verdict) {
        ownCounts.note(verdict)
        gain.reset()
        let chain = chain
        chain.pointee.reset()
    }

    /// Forgets everything that was rendered before: a listener that was absent returns.
    @_noLocks @_noAllocation
    package mutating func begin() {
        clearEars()
        gain.reset()
        let chain = chain
        chain.pointee.reset()
    }

    @_noLocks @_noAllocation
    private mutating func renderRecording(
        _ scene: borrowing PreparedScene, _ ring: borrowing RingLookup, _ settings: ListenerSettings, head: SIMD4<Float>,
        hrtf: FilterBankView?, block: Block, work: borrowing RenderWork
    ) {
        azimuths = Ears.azimuths(
            head: head, nose: nose(settings.earAzimuth), front: settings.front, previous: azimuths)
        if usesHRTF(settings.method) {
            left.hrtf.pointee.coming = hrtf
            right.hrtf.pointee.coming = hrtf
        }
        let elevations = Ears.elevations(
            head: head, nose: nose(settings.earAzimuth), least: ElevationFilters.nearby)
        var target = EarTarget(
            azimuth: azimuths[0], elevation: elevations[0], method: settings.method, fixed: settings.fixedMicrophone)
        left.mix(scene, ring, target, block: block, work: work, output: work.ears.row(0))
        target.azimuth = azimuths[1]
        target.elevation = elevations[1]
        right.mix(scene, ring, target, block: block, work: work, output: work.ears.row(1))
    }

    /// Sets the arrangements of the racks for the blocks to come.
    @_noLocks @_noAllocation
    package mutating func set(_ arrangements: ListenerRacks.Arrangements) {
        let chain = chain
        chain.pointee.set(arrangements)
        followChain()
    }

    /// Latency of the output chain and of the method, samples.
    @_noLocks @_noAllocation
    package mutating func latency(_ method: InterpolationMethod) -> Int { method.latency(rate: rate) &+ chainLatency }

    /// Gain reduction of the protecting limiter in the last block, decibels; nil while it is inactive.
    package var reduction: Float? { @_noLocks @_noAllocation mutating get { isProtected ? chain.pointee.reduction : nil } }

    /// Crossover of the method in use, if it has one.
    package var crossover: Crossover? { @_noLocks @_noAllocation mutating get { left.method?.crossover } }

    /// Whether a block of the recording has been rendered.
    package var hasMethod: Bool { @_noLocks @_noAllocation mutating get { left.method != nil } }

    @_noLocks @_noAllocation
    private mutating func nose(_ degrees: Float) -> SIMD2<Float> {
        if degrees != earAzimuth {
            earAzimuth = degrees
            nose = SIMD2(rt_cos(degrees * .pi / 180), rt_sin(degrees * .pi / 180))
        }
        return nose
    }

    @_noLocks @_noAllocation
    private func measure(_ ears: borrowing Rows, _ frames: Int) -> EarLevels {
        let (left, right) = (ears.row(0), ears.row(1))
        // The sum writes whole lanes; samples past the block are not sound.
        let rest = roundedToLanes(frames) &- frames
        if rest > 0 {
            rt_zero(left + frames, rest)
            rt_zero(right + frames, rest)
        }
        let (peak, energy) = LevelMeter.measure(left, right, frames: frames)
        return EarLevels(peak: peak, energy: energy)
    }

    /// Writes the current weights of the microphones below and above the crossover.
    ///
    /// - Parameters:
    ///   - lows, highs: the left ear's from index 0, the right ear's from ``MicrophoneArray/capacity``.
    ///   - count: number of microphones.
    @_noLocks @_noAllocation
    package mutating func weights(_ lows: inout MutableSpan<Float>, _ highs: inout MutableSpan<Float>, count: Int) {
        Self.gather(left.now, &lows, &highs, count: count, from: 0)
        Self.gather(right.now, &lows, &highs, count: count, from: MicrophoneArray.capacity)
        guard left.usesHRTF, right.usesHRTF else { return }
        // Gains of the HRTF filters over all frequencies.
        left.hrtf.pointee.addGains(to: &lows, from: 0)
        right.hrtf.pointee.addGains(to: &lows, from: MicrophoneArray.capacity)
    }

    /// Sums the weights below and above the crossover over the bands.
    @_noLocks @_noAllocation
    private static func gather(
        _ weights: UnsafePointer<Float>, _ lows: inout MutableSpan<Float>, _ highs: inout MutableSpan<Float>, count: Int,
        from: Int
    ) {
        func sum(_ a: Taps.Band, _ b: Taps.Band, _ c: Taps.Band, _ d: Taps.Band, _ channel: Int) -> Lanes {
            weights.lanes(Taps.row(.full, channel)) + weights.lanes(Taps.row(a, channel))
                + weights.lanes(Taps.row(b, channel)) + weights.lanes(Taps.row(c, channel))
                + weights.lanes(Taps.row(d, channel))
        }
        var channel = 0
        while channel < count {
            let low = sum(.low, .delayedLow, .ringLow, .ringDelayedLow, channel)
            let high = sum(.high, .magnitude, .ringHigh, .ringMagnitude, channel)
            // SAFETY: both spans hold two ears of ``MicrophoneArray/capacity``, to whole lanes of which `count` is rounded at most.
            for i in 0..<laneCount {
                lows[unchecked: from &+ channel &+ i] = low[i]
                highs[unchecked: from &+ channel &+ i] = high[i]
            }
            channel = channel &+ laneCount
        }
    }
}
