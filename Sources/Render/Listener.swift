internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import Parameters

/// A head in the scene: its pose and settings, its two ears, their levels.
struct Listener: ~Copyable, Sendable {
    private var ends: ListenerEnds
    /// Slot of this listener's first parameter.
    private let slots: Int
    private let rate: Float
    private var left: EarMixer
    private var right: EarMixer
    // SAFETY: owned by this value alone, which cannot be copied; apart, so that listeners stay small.
    private nonisolated(unsafe) let chain: UnsafeMutablePointer<OutputChain>
    /// Left and right interleaved, for network listeners.
    private let pairs: Rows
    // SAFETY: in a slot that one of the ends of `ends` holds until it takes a newer one.
    private nonisolated(unsafe) var pose: UnsafePointer<HeadPose>
    // SAFETY: owned by this value alone; holds a pose whose time had been told before.
    private nonisolated(unsafe) let timedPose: UnsafeMutablePointer<HeadPose>
    private var lookAhead = LookAhead()
    private var gain: Float = -1
    private var earAzimuth: Float = 90
    /// Of both ears in the world, degrees.
    private var azimuths = SIMD2<Float>.zero
    private var nose = SIMD2<Float>(0, 1)
    private var personal: PersonalInlet
    private let objectEars: ObjectEars
    /// Where the head was rendered in this block; w x y z.
    private var heading = SIMD4<Float>(1, 0, 0, 0)
    /// Of the present block.
    private var method = InterpolationMethod.ringSpectral
    /// Last: large, and touched far less often than the rest.
    private var frame = ListenerFrame()

    init(ends: consuming ListenerEnds, chain: consuming OutputChain, slots: Int, objects: Int, period: Int, rate: Float) {
        var ends = ends
        personal = PersonalInlet(ends.personal.take())
        pose = ends.networkPoses.view()
        timedPose = .allocate(capacity: 1)
        timedPose.initialize(to: .ahead)
        self.ends = ends
        self.chain = .allocate(capacity: 1)
        self.chain.initialize(to: chain)
        self.slots = slots
        self.rate = rate
        let frame = SpectralFrame(rate: rate)
        left = EarMixer(.left, frame: frame, period: period, rate: rate)
        right = EarMixer(.right, frame: frame, period: period, rate: rate)
        pairs = Rows(rows: 1, length: 2 * period)
        objectEars = ObjectEars(count: objects)
    }

    deinit {
        chain.deinitialize(count: 1)
        chain.deallocate()
        timedPose.deallocate()
    }

    /// What this listener needs of the scene in the coming block.
    ///
    /// - Parameters:
    ///   - ring: the array that is heard, if there is one; `changes` counts how often it was another.
    @_noLocks @_noAllocation
    mutating func bands(
        _ parameters: borrowing ParameterReader, _ ring: UnsafePointer<RingLookup>?, changes: Int
    ) -> BandSet {
        method = method(parameters)
        if method == .personal {
            personal.receive()
            if !personal.fit(ring, changes: changes) { method = method.standIn }
        }
        return left.bands(method) | right.bands(method)
    }

    @_noLocks @_noAllocation
    private mutating func method(_ parameters: borrowing ParameterReader) -> InterpolationMethod {
        let number = Int(parameters.target(slots &+ ListenerParameter.method.rawValue))
        return InterpolationMethod(rawValue: number) ?? .ringSpectral
    }

    /// The array is another.
    @_noLocks @_noAllocation
    mutating func meetArray(isSameCount: Bool) {
        if isSameCount {
            left.leave()
            right.leave()
        } else {
            left.reset()
            right.reset()
        }
    }

    /// The pose in use.
    var newestPose: UnsafePointer<HeadPose> { @_noLocks @_noAllocation get { pose } }

    /// Takes the newest pose; returns whether it has not been used before.
    @_noLocks @_noAllocation
    mutating func takePose() -> Bool {
        let before = pose.pointee.id
        // One end's poses are newer each time: what it gives back is never the pose in use beside an older one.
        if ends.networkPoses.hasNews {
            let coming = ends.networkPoses.view()
            if coming.pointee.id > pose.pointee.id { pose = coming }
        }
        if ends.controlPoses.hasNews {
            let coming = ends.controlPoses.view()
            if coming.pointee.id > pose.pointee.id { pose = coming }
        }
        guard pose.pointee.id != before else { return false }
        lookAhead.isNew = true
        return true
    }

    /// Turns the head at a time that was told before, until a newer pose comes.
    @_noLocks @_noAllocation
    mutating func turn(_ quaternion: SIMD4<Float>, at time: UInt64) {
        // What is newer than the pose before it is newer than this one.
        timedPose.pointee = HeadPose(quaternion: quaternion, id: pose.pointee.id, receiveTime: time)
        pose = UnsafePointer(timedPose)
        lookAhead.isNew = true
    }

    /// Renders both ears of the recording into `work.ears`.
    @_noLocks @_noAllocation
    mutating func render(
        _ scene: borrowing PreparedScene, _ ring: borrowing RingLookup, _ parameters: borrowing ParameterReader,
        block: Block, work: borrowing MixWork
    ) {
        let head = head(parameters, block)
        heading = head
        ends.tape.note(head, of: pose, position: block.position)
        azimuths = Ears.azimuths(
            head: head, nose: noseToEar(parameters.target(slots &+ ListenerParameter.earAzimuth.rawValue)),
            front: parameters.target(slots &+ ListenerParameter.front.rawValue), previous: azimuths)
        let fixed = Int(parameters.target(slots &+ ListenerParameter.fixedMicrophone.rawValue)) &- 1
        let isPersonal = method == .personal || left.isPersonal || right.isPersonal
        if isPersonal {
            left.personal.pointee.coming = personal.view
            right.personal.pointee.coming = personal.view
        }
        var wish = EarWish(azimuth: azimuths[0], method: method, fixed: fixed)
        left.mix(scene, ring, wish, block: block, work: work, output: work.ears.row(0))
        wish.azimuth = azimuths[1]
        right.mix(scene, ring, wish, block: block, work: work, output: work.ears.row(1))
        if personal.isLeaving, scene.hasParts || !isPersonal { personal.settle() }
    }

    /// Instead of ``render(_:_:_:block:work:)`` while there is no recording.
    @_noLocks @_noAllocation
    mutating func rest(_ block: Block, work: borrowing MixWork) {
        rt_zero(work.ears.row(0), block.frames)
        rt_zero(work.ears.row(1), block.frames)
    }

    /// Adds the sound objects to both ears.
    ///
    /// - Parameter isResting: whether the head has not been rendered in this block.
    @_noLocks @_noAllocation
    mutating func hear(
        _ objects: borrowing ObjectScene, _ parameters: borrowing ParameterReader, isResting: Bool, block: Block,
        work: borrowing MixWork
    ) {
        if isResting { heading = head(parameters, block) }
        objectEars.mix(
            objects, head: heading,
            nose: noseToEar(parameters.target(slots &+ ListenerParameter.earAzimuth.rawValue)),
            front: parameters.target(slots &+ ListenerParameter.front.rawValue), frames: block.frames,
            left: work.ears.row(0), right: work.ears.row(1))
    }

    /// What comes after both ears of the recording: racks, live input, level, protection; then it is measured and
    /// handed on.
    ///
    /// - Parameter ceiling: of the protection, a factor.
    @_noLocks @_noAllocation
    mutating func finish(
        _ parameters: borrowing ParameterReader, input: InputView?, ceiling: Float, block: Block,
        work: borrowing MixWork
    ) {
        let isMuted = parameters.target(slots &+ ListenerParameter.mute.rawValue) != 0
        let wanted = isMuted ? 0 : parameters.target(slots &+ ListenerParameter.gain.rawValue)
        let gains = walkGain(to: wanted, share: block.gainShare)
        chain.pointee.process(
            work.ears.row(0), work.ears.row(1), frames: block.frames, input: input, gains: gains, ceiling: ceiling,
            tempo: block.tempo, isHeard: ends.isHeard.isOpen)
        measure(work.ears, block.frames)
        share(work.ears, block.frames)
    }

    /// Samples by which live input is late here.
    var inputLatency: Int { @_noLocks @_noAllocation get { chain.pointee.inputLatency } }

    /// Samples by which what is heard is later than the ears' rendering.
    var chainLatency: Int { @_noLocks @_noAllocation get { chain.pointee.latency } }

    /// Where the head is, or will be when the block is heard.
    @_noLocks @_noAllocation
    private mutating func head(_ parameters: borrowing ParameterReader, _ block: Block) -> SIMD4<Float> {
        let isMeasured = parameters.target(slots &+ ListenerParameter.autoPrediction.rawValue) != 0
        let milliseconds = parameters.target(slots &+ ListenerParameter.prediction.rawValue)
        guard isMeasured || milliseconds > 0 || lookAhead.isOn else { return pose.pointee.quaternion }
        return lookAhead.head(
            pose, until: block.end, isMeasured: isMeasured, more: milliseconds * 0.001, horizon: ends.horizon)
    }

    @_noLocks @_noAllocation
    private mutating func noseToEar(_ degrees: Float) -> SIMD2<Float> {
        if degrees != earAzimuth {
            earAzimuth = degrees
            nose = SIMD2(rt_cos(degrees * .pi / 180), rt_sin(degrees * .pi / 180))
        }
        return nose
    }

    @_noLocks @_noAllocation
    private mutating func walkGain(to target: Float, share: Float) -> (from: Float, to: Float) {
        if gain < 0 { gain = target }
        let from = gain
        gain += (target - gain) * share
        if abs(target - gain) < 1e-5 { gain = target }
        return (from, gain)
    }

    @_noLocks @_noAllocation
    private mutating func measure(_ ears: borrowing Rows, _ frames: Int) {
        let (left, right) = (ears.row(0), ears.row(1))
        // The sum writes whole lanes; what lies past the block is not sound.
        let rest = roundedToLanes(frames) &- frames
        if rest > 0 {
            rt_zero(left + frames, rest)
            rt_zero(right + frames, rest)
        }
        let (peak, energy) = Levels.measure(left, right, frames: frames)
        frame.peak = SIMD2(max(frame.peak[0], peak[0]), max(frame.peak[1], peak[1]))
        frame.energy += energy
        frame.frames = frame.frames &+ Int32(truncatingIfNeeded: frames)
    }

    /// Hands the ears to the network, when somebody listens there. A full ring loses the block: audio does not wait.
    @_noLocks @_noAllocation
    private mutating func share(_ ears: borrowing Rows, _ frames: Int) {
        guard ends.isHeard.isOpen else { return }
        let pairs = pairs.row(0)
        for i in 0..<frames {
            pairs[2 &* i] = ears.row(0)[i]
            pairs[2 &* i &+ 1] = ears.row(1)[i]
        }
        _ = ends.ears.write(pairs, frames: frames)
    }

    /// Sends the levels and weights; levels go on gathering when the ring is full.
    @_noLocks @_noAllocation
    mutating func report(_ scene: borrowing PreparedScene, count: Int) {
        frame.count = Int32(truncatingIfNeeded: count)
        frame.pose = pose.pointee
        // Without a recording there is no method at work.
        let methodLatency = count > 0 ? method.latency(rate: rate) : 0
        frame.latency = Int32(truncatingIfNeeded: methodLatency &+ chain.pointee.latency)
        if let method = left.method {
            if let crossover = method.crossover { frame.crossover = scene.frequency(crossover) } else { frame.crossover = 0 }
        }
        gather(left.now, count: count, from: 0)
        gather(right.now, count: count, from: 64)
        if left.isPersonal, right.isPersonal { gatherPersonal() }
        if ends.meters.push(frame) {
            frame.peak = .zero
            frame.energy = .zero
            frame.frames = 0
        }
    }

    /// What the filters of `personal` let through, over all frequencies.
    @_noLocks @_noAllocation
    private mutating func gatherPersonal() {
        var lows = frame.low.mutableSpan
        left.personal.pointee.addGains(to: &lows, from: 0)
        right.personal.pointee.addGains(to: &lows, from: 64)
    }

    /// Weights below and above the crossover, whichever bands they are in.
    @_noLocks @_noAllocation
    private mutating func gather(_ weights: UnsafePointer<Float>, count: Int, from: Int) {
        func sum(_ a: Taps.Band, _ b: Taps.Band, _ c: Taps.Band, _ d: Taps.Band, _ channel: Int) -> Lanes {
            weights.lanes(Taps.row(.full, channel)) + weights.lanes(Taps.row(a, channel))
                + weights.lanes(Taps.row(b, channel)) + weights.lanes(Taps.row(c, channel))
                + weights.lanes(Taps.row(d, channel))
        }
        var channel = 0
        while channel < count {
            let low = sum(.low, .delayedLow, .ringLow, .ringDelayedLow, channel)
            let high = sum(.high, .magnitude, .ringHigh, .ringMagnitude, channel)
            var lows = frame.low.mutableSpan
            for i in 0..<laneCount { lows[from &+ channel &+ i] = low[i] }
            var highs = frame.high.mutableSpan
            for i in 0..<laneCount { highs[from &+ channel &+ i] = high[i] }
            channel = channel &+ laneCount
        }
    }
}
