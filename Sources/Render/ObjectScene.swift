internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import Parameters

/// The sound objects, prepared once per block for all listeners: each one's sound with its level, directly and through the
/// low-pass of the sphere's shadow.
///
/// They stand on the outside of the sphere that the microphones of the recording sit on. Sound takes no time to the sphere:
/// distance is level alone, one over metres.
struct ObjectScene: ~Copyable, Sendable {
    /// Metres; what is nearer is as loud as there.
    static var nearest: Float { @_noLocks @_noAllocation get { 0.2 } }
    /// Seconds of crossfades and of fades with the transport.
    static var fade: Float { @_noLocks @_noAllocation get { 0.02 } }
    /// Metres; of heads without a recording.
    private static var radius: Float { @_noLocks @_noAllocation get { 0.0875 } }

    let count: Int
    /// Slot of the first object's first parameter.
    private let slots: Int
    private let stride: Int
    private let rate: Float
    // SAFETY: owned by this value alone, which cannot be copied; apart, so that what objects hold can be given back at the end.
    private nonisolated(unsafe) let sounds: UnsafeMutablePointer<Handover<ObjectSound>.Realtime>
    // SAFETY: as above.
    private nonisolated(unsafe) let voices: UnsafeMutablePointer<ObjectVoice>
    // SAFETY: as above. Of each object azimuth, elevation in degrees, and the direction they mean.
    private nonisolated(unsafe) let places: UnsafeMutablePointer<(SIMD2<Float>, SIMD3<Float>)>
    // SAFETY: as above. What sums up the left ears, and the right ones.
    nonisolated(unsafe) let mixes: UnsafeMutablePointer<ObjectMix>
    // SAFETY: as above. Those that are heard, in order.
    nonisolated(unsafe) let heard: UnsafeMutablePointer<HeardObject>
    private(set) var heardCount = 0
    /// For each object its sound, and that through the low-pass; each row begins with what was before the block.
    private let rows: Rows
    private let spare: Rows
    /// Samples before a block that ears still hear.
    private let history: Int
    /// Frames of the block before.
    private var lastFrames = 0
    private(set) var shadow: SphereShadow
    private var radius = Self.radius
    /// Where sounds are, frames.
    private var clock: Int64 = 0
    private var feed: Int64 = 0
    private var level: Float = 0
    /// What of both sides of the live input is heard where nothing stands.
    private var direct = SIMD2<Float>(repeating: 1)

    /// - Parameters:
    ///   - sounds: what objects are to sound.
    ///   - tree: says how many objects there are.
    init(sounds: consuming Handover<ObjectSound>.Realtime, tree: ParameterTree, rate: Float, period: Int) {
        count = tree.objects
        slots = count > 0 ? tree.slot(ObjectParameter.source) : 0
        stride = ObjectParameter.allCases.count
        self.rate = rate
        self.sounds = .allocate(capacity: 1)
        self.sounds.initialize(to: sounds)
        voices = .allocate(capacity: count)
        for object in 0..<count { (voices + object).initialize(to: ObjectVoice()) }
        places = .allocate(capacity: count)
        places.initialize(repeating: (.zero, SIMD3(1, 0, 0)), count: count)
        mixes = .allocate(capacity: 2)
        for ear in 0..<2 { (mixes + ear).initialize(to: ObjectMix(rate: rate, period: period)) }
        heard = .allocate(capacity: count)
        history = roundedToLanes(SphereShadow.longestDelay(rate: rate) + FractionalTap.count + 1)
        rows = Rows(rows: 2 * count, length: history + period)
        spare = Rows(rows: 3, length: period)
        shadow = SphereShadow(radius: Self.radius, rate: rate)
    }

    deinit {
        let (voices, sounds) = (voices, sounds)
        for object in 0..<count {
            while let sound = voices[object].release() { sounds.pointee.giveBack(sound) }
        }
        sounds.deinitialize(count: 1)
        sounds.deallocate()
        voices.deinitialize(count: count)
        voices.deallocate()
        places.deallocate()
        mixes.deinitialize(count: 2)
        mixes.deallocate()
        heard.deallocate()
    }

    /// The first frame of an object's row in this block; 0 is its sound, 1 that through the low-pass.
    @_noLocks @_noAllocation
    func row(_ object: Int, _ part: Int) -> UnsafeMutablePointer<Float> { rows.row(2 &* object &+ part) + history }

    /// Prepares a block.
    ///
    /// - Parameters:
    ///   - scene: the recording, prepared for the same block already.
    ///   - input: live input, before it is heard directly.
    @_noLocks @_noAllocation
    mutating func prepare(
        _ parameters: borrowing ParameterReader, scene: borrowing Scene, state: Int, input: InputView?, block: Block
    ) {
        heardCount = 0
        guard count > 0 else { return }
        receive()
        follow(scene, isPlaying: state == TransportParameter.playing, block)
        // Beginnings are heard as they are.
        if clock == 0, level == 0, state == TransportParameter.playing { level = 1 }
        let reached = level(state, block)
        let moment = ObjectVoice.Moment(
            frames: block.frames, place: clock, level: (level, reached), fadeShare: block.seconds / Self.fade, input: input,
            spare: spare.row(2))
        for object in 0..<count { prepare(object, parameters, moment, block) }
        if level > 0 || reached > 0 { clock = clock &+ Int64(block.frames) }
        level = reached
        // Without a recording nobody else takes the sounds back to their beginnings.
        if state == TransportParameter.stopped, level == 0, scene.ring == nil { clock = 0 }
        lastFrames = block.frames
    }

    @_noLocks @_noAllocation
    private mutating func receive() {
        // Names of their own: ThreadSanitizer's build cannot follow changes through the properties.
        let (voices, sounds) = (voices, sounds)
        while let next = sounds.pointee.receive() {
            let object = next.pointee.object
            if object >= count {
                sounds.pointee.giveBack(next)
            } else if let skipped = (voices + object).pointee.take(next) {
                sounds.pointee.giveBack(skipped)
            }
        }
    }

    /// Sounds are where the recording is: taken from there when it begins, or was sought, and counted on from then on, through
    /// its loops as well.
    @_noLocks @_noAllocation
    private mutating func follow(_ scene: borrowing Scene, isPlaying: Bool, _ block: Block) {
        if scene.feed != feed {
            feed = scene.feed
            clock = max(0, scene.place &- (isPlaying ? Int64(block.frames) : 0))
        }
        let present = scene.ring?.pointee.radius ?? Self.radius
        guard present != radius else { return }
        radius = present
        shadow = SphereShadow(radius: radius, rate: rate)
    }

    /// Of what plays with the transport, at the last frame of this block.
    @_noLocks @_noAllocation
    private func level(_ state: Int, _ block: Block) -> Float {
        let step = block.seconds / Self.fade
        return state == TransportParameter.playing ? min(1, level + step) : max(0, level - step)
    }

    @_noLocks @_noAllocation
    private mutating func prepare(
        _ object: Int, _ parameters: borrowing ParameterReader, _ moment: ObjectVoice.Moment, _ block: Block
    ) {
        let wanted = gain(object, parameters)
        let (voice, sounds) = (voices + object, sounds)
        let wasHeard = voice.pointee.tail > 0
        let isHeard = voice.pointee.isHeard(moment, wanted: wanted)
        if !isHeard {
            if let done = voice.pointee.rest(moment, gain: wanted) { sounds.pointee.giveBack(done) }
            guard wasHeard else { return }
        }
        let (whole, low) = (row(object, 0), row(object, 1))
        if wasHeard {
            rt_move(whole - history, whole - history + lastFrames, history)
            rt_move(low - history, low - history + lastFrames, history)
        } else {
            rt_zero(whole - history, history)
            rt_zero(low - history, history)
        }
        if isHeard {
            let done = voice.pointee.fill(whole, moment, wanted: wanted, gainShare: block.gainShare)
            if let done { sounds.pointee.giveBack(done) }
            // The low-pass is down by 100 dB in less than this.
            voice.pointee.tail = 2 &* history
        } else {
            rt_zero(whole, block.frames)
            voice.pointee.tail = max(0, voice.pointee.tail &- block.frames)
        }
        // Whole lanes are read.
        rt_zero(whole + block.frames, roundedToLanes(block.frames) &- block.frames)
        shadow.lowPass(whole, low, frames: block.frames)
        heard[heardCount] = HeardObject(
            object: object, direction: direction(object, parameters), isFresh: !wasHeard)
        heardCount = heardCount &+ 1
    }

    @_noLocks @_noAllocation
    private func value(_ parameters: borrowing ParameterReader, _ parameter: ObjectParameter, _ object: Int) -> Float {
        parameters.target(slots &+ object &* stride &+ parameter.rawValue)
    }

    /// A factor: level, switch and distance.
    @_noLocks @_noAllocation
    private func gain(_ object: Int, _ parameters: borrowing ParameterReader) -> Float {
        guard value(parameters, .mute, object) == 0 else { return 0 }
        return value(parameters, .gain, object) / max(Self.nearest, value(parameters, .distance, object))
    }

    @_noLocks @_noAllocation
    private func direction(_ object: Int, _ parameters: borrowing ParameterReader) -> SIMD3<Float> {
        let angles = SIMD2(value(parameters, .azimuth, object), value(parameters, .elevation, object))
        if places[object].0 != angles {
            let (azimuth, elevation) = (angles[0] * .pi / 180, angles[1] * .pi / 180)
            let flat = rt_cos(elevation)
            places[object] = (angles, SIMD3(flat * rt_cos(azimuth), flat * rt_sin(azimuth), rt_sin(elevation)))
        }
        return places[object].1
    }

    /// The live input without the channels that objects sound: those are heard where the objects stand.
    @_noLocks @_noAllocation
    mutating func direct(_ input: InputView?, block: Block) -> InputView? {
        guard count > 0, let input else { return input }
        var wanted = SIMD2<Float>(repeating: 1)
        for object in 0..<count {
            let channel = voices[object].channel
            if channel >= 0 { wanted[channel & 1] = 0 }
        }
        let before = direct
        guard before != wanted || wanted != SIMD2(repeating: 1) else { return input }
        direct += (wanted - before) * block.gainShare
        for side in 0..<2 where abs(wanted[side] - direct[side]) < 1e-5 { direct[side] = wanted[side] }
        let (left, right) = (spare.row(0), spare.row(1))
        let step = (direct - before) / Float(block.frames)
        for i in 0..<block.frames {
            let gains = before + step * Float(i &+ 1)
            left[i] = input.left[i] * gains[0]
            right[i] = input.right[i] * gains[1]
        }
        return InputView(left: left, right: right)
    }
}
