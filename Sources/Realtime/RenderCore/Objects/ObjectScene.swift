package import Binaural
internal import CRealtime
package import DSP

/// Sound objects, prepared once per block for all listeners: each one's sound with its level, directly and through the
/// low-pass of the sphere's shadow.
///
/// Objects are outside the sphere that carries the recording's microphones. Distance changes the level, one over metres; the delay
/// to the sphere, the air and directivity are modelled where the settings ask for them.
package struct ObjectScene: ~Copyable, Sendable {
    /// Distance below which the level no longer rises, metres.
    static var nearest: Float { @_noLocks @_noAllocation get { 0.2 } }
    /// Length of crossfades and of fades with the transport, seconds.
    static var fade: Float { @_noLocks @_noAllocation get { SmoothingTime.crossfade } }
    /// Radius of the heads without a recording, metres.
    private static var radius: Float { @_noLocks @_noAllocation get { Float(MicrophoneArray.standardRadius) } }

    package let count: Int
    private let rate: Float
    // SAFETY: owned by this value alone, which cannot be copied; one for each object.
    private nonisolated(unsafe) let states: UnsafeMutablePointer<ObjectState>
    private let guards: RowGuards
    private var returned: ReturnedObjects
    private var clock = ObjectClock()
    var propagation: Propagation
    var surround: SurroundStage
    /// The objects' sound for listeners that are not at the origin; none where there is no such listener.
    package internal(set) var sources: ObjectSources
    /// The objects as the last of those listeners on this thread hears them.
    package internal(set) var placed: PlacedScene
    /// Largest distance of those listeners from the origin, metres, of the last block and of the current one.
    var reach = (last: Float(0), present: Float(0))
    /// The objects that are heard through the array.
    package private(set) var encoder: ArrayEncoder
    /// The room that the objects are in.
    var rooms: RoomStage
    /// Levels of the reflections and of the late field.
    package var roomLevels = RoomLevels()
    /// The live input, some of whose channels objects use.
    private var direct: DirectInput
    /// The block that listeners are rendered from.
    package internal(set) var prepared: PreparedObjects
    /// Radius of the sphere whose shadow `prepared` has, metres.
    private var radius = Self.radius
    private let spare: Rows

    /// - Parameters:
    ///   - count: number of objects that there may be.
    ///   - present: initial number of objects; nil for all.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    ///   - reflections: largest number of reflections of each object.
    ///   - listeners: number of listeners on this thread that may be elsewhere than at the origin.
    ///   - isShared: whether other threads receive the objects.
    ///   - canEncode: whether objects can be encoded onto an array.
    ///   - plan: room in which the objects are; nil for a free field.
    package init(
        count: Int, present: Int? = nil, rate: Float, period: Int, reflections: Int = 0, listeners: Int = 0, isShared: Bool = false,
        canEncode: Bool = false, room plan: RoomPlan? = nil
    ) {
        self.count = count
        self.rate = rate
        let reflections = max(reflections, plan?.images.count ?? 0)
        let total = PreparedObjects.places(objects: count, reflections: reflections)
        states = .allocate(capacity: count)
        for object in 0..<count {
            (states + object).initialize(to: ObjectState())
            guard object < present ?? count else { continue }
            let part = UnsafeMutablePointer<ObjectPart>.allocate(capacity: 1)
            part.initialize(to: ObjectPart(object: object, rate: rate, period: period))
            states[object].part = part
        }
        guards = RowGuards(rows: total, rate: rate)
        returned = ReturnedObjects(objects: count)
        propagation = Propagation(rate: rate)
        surround = SurroundStage(objects: count, rate: rate, period: period, keepsLate: listeners > 0 || isShared)
        sources = ObjectSources(count: listeners > 0 || isShared ? count : 0, rate: rate, period: period)
        placed = PlacedScene(objects: listeners > 0 ? count : 0, reflections: reflections, rate: rate, period: period)
        encoder = ArrayEncoder(places: canEncode ? total : 0, rate: rate, period: period)
        rooms = RoomStage(plan.map { RoomScene($0, objects: count, listeners: listeners, rate: rate, period: period) })
        direct = DirectInput(period: period)
        prepared = PreparedObjects(
            count: count, reflections: reflections, isShared: isShared, shadow: SphereShadow(radius: Self.radius, rate: rate), rate: rate,
            period: period)
        spare = Rows(rows: 2, length: period)
    }

    // SAFETY: a renderer ends on the control side, which may free the sounds that are left.
    deinit {
        for object in 0..<count {
            while let sound = states[object].voice.release() {
                sound.deinitialize(count: 1)
                sound.deallocate()
            }
        }
        states.deinitialize(count: count)
        states.deallocate()
    }

    /// Number of times that an object's sound out of range was replaced.
    @_noLocks @_noAllocation
    package func counts(_ object: Int) -> RangeCounts { guards[object] }

    /// Share of an object's sound that is encoded onto the array.
    @_noLocks @_noAllocation
    func encoded(_ object: Int) -> EncodedShare { states[object].encoded }

    // MARK: Memory from and to the control side

    /// Takes ownership of a sound for the object that it names.
    /// - Returns: a sound that is not needed: one that was waiting, or `sound` itself when there is no such object.
    @_noLocks @_noAllocation
    package mutating func take(_ sound: UnsafeMutablePointer<ObjectSound>) -> UnsafeMutablePointer<ObjectSound>? {
        let object = sound.pointee.object
        guard object < count else { return sound }
        return (states + object).pointee.voice.take(sound)
    }

    /// Returns the sounds that the last block made superfluous, one per call, and then nil.
    @_noLocks @_noAllocation
    package mutating func release() -> UnsafeMutablePointer<ObjectSound>? { returned.nextSound() }

    /// Takes ownership of the memory of an object that comes.
    /// - Returns: memory that is not needed, because the object has some.
    @_noLocks @_noAllocation
    package mutating func take(_ part: UnsafeMutablePointer<ObjectPart>) -> UnsafeMutablePointer<ObjectPart>? {
        let object = part.pointee.object
        guard object < count, states[object].part == nil else { return part }
        (states + object).pointee.part = part
        return nil
    }

    /// Returns the memory of an object that has gone, once; call it after every block.
    @_noLocks @_noAllocation
    package mutating func releasePart() -> UnsafeMutablePointer<ObjectPart>? { returned.nextPart() }

    /// Takes ownership of a room, which fades in.
    /// - Returns: a room that is not needed, because it was still waiting.
    @_noLocks @_noAllocation
    package mutating func take(_ room: UnsafeMutablePointer<RoomScene>) -> UnsafeMutablePointer<RoomScene>? {
        rooms.take(room)
    }

    /// Returns the room that has faded out, once; call it after every block.
    @_noLocks @_noAllocation
    package mutating func releaseRoom() -> UnsafeMutablePointer<RoomScene>? { rooms.finish() }

    // MARK: Blocks

    /// Prepares a block. Call ``release()`` until it returns nil before the next one.
    ///
    /// - Parameters:
    ///   - settings: one per object.
    ///   - transport: state of the recording, which has been prepared for the same block.
    ///   - array: that objects are encoded onto; without one they are rendered for each listener.
    ///   - input: live input, before it is heard directly.
    @_noLocks @_noAllocation
    package mutating func prepare(
        _ settings: UnsafePointer<ObjectSettings>, _ transport: ObjectTransport, array: EncodedArray? = nil, input: InputView?, block: Block
    ) {
        prepared.clear()
        guard count > 0 else { return }
        encoder.begin(array, block: block)
        follow(transport)
        let level = clock.begin(transport, block)
        let moment = ObjectVoice.Moment(
            frames: block.frames, place: clock.place, level: level, fadeShare: block.seconds / Self.fade, input: input,
            spare: spare.row(0))
        reach = (reach.present, 0)
        surround.begin(prepared, block)
        beginRooms(block)
        let isRoom = rooms.isRoom
        for object in 0..<count where states[object].part != nil || states[object].voice.hasSound {
            if object &+ 1 < count { states[object &+ 1].voice.prefetch(frames: block.frames) }
            var own = settings[object]
            // In a room, sound always travels through the air.
            if isRoom { (own.air, own.doppler) = (1, 1) }
            prepare(object, own, moment, block)
        }
        if let isFresh = surround.finish(prepared, rooms, level: roomLevels.late, isKept: sources.count > 0, block) {
            for i in 0..<SurroundField.count {
                add(count &+ i, LateDirections.direction(i, of: SurroundField.count), isFresh: isFresh, block)
            }
            surround.share(prepared, sources, block)
        }
        encoder.finish(block.frames)
        clock.finish(transport, block)
        prepared.finish(block.frames)
    }

    /// Uses the shadow of the recording's sphere.
    @_noLocks @_noAllocation
    private mutating func follow(_ transport: ObjectTransport) {
        let present = transport.radius > 0 ? transport.radius : Self.radius
        guard present != radius else { return }
        radius = present
        prepared.shadow = SphereShadow(radius: radius, rate: rate)
    }

    /// Place in the sounds after a block that has not been prepared yet, frames.
    @_noLocks @_noAllocation
    package func place(after transport: ObjectTransport, _ block: Block) -> Int64 { clock.place(after: transport, block) }

    @_noLocks @_noAllocation
    private mutating func prepare(
        _ object: Int, _ settings: ObjectSettings, _ moment: ObjectVoice.Moment, _ block: Block
    ) {
        let wanted = settings.level
        let state = states + object
        guard let part = state.pointee.part else {
            // Its memory is about to come, or it has gone.
            if settings.isAbsent { returned.take(state.pointee.voice.release()) }
            return
        }
        let wasAudible = state.pointee.voice.tail > 0
        let isAudible = state.pointee.voice.isAudible(moment, wanted: wanted)
        if !isAudible {
            returned.take(state.pointee.voice.rest(moment, gain: wanted, strength: settings.strength))
            guard wasAudible else {
                if settings.isAbsent { returned.retire(state) }
                return
            }
        }
        let (whole, near) = (prepared.row(object, 0), spare.row(1))
        let direction = state.pointee.direction(settings)
        let place = direction * settings.distance
        prepared.keepHistory(object, isFresh: !wasAudible)
        let tail = tail(part)
        if isAudible {
            returned.take(state.pointee.voice.fill(whole, moment, wanted: wanted, strength: settings.strength))
            state.pointee.voice.tail = max(tail, rooms.tail)
        } else {
            rt_zero(whole, block.frames)
            state.pointee.voice.tail = max(0, state.pointee.voice.tail &- block.frames)
        }
        state.pointee.encode(settings.isEncoded && encoder.hasArray, isFresh: !wasAudible, tail: tail, block)
        let share = state.pointee.encoded
        let strength = state.pointee.voice.strength(to: settings.strength, frames: block.frames, gainShare: block.gainShare)
        if sources.count > 0, share.isDirect {
            keep(object, whole, strength, settings, place, isFresh: !wasAudible || share.begins, block)
        }
        state.pointee.muffle.process(whole, to: rooms.wall(place), isFresh: !wasAudible, propagation.design, block: block)
        state.pointee.voice.scale(
            whole, near: near, wanted: wanted, strength: strength, frames: block.frames, gainShare: block.gainShare)
        reflect(object, near, settings, place, spare: spare.row(0), isFresh: !wasAudible, block)
        part.pointee.path.process(
            whole, settings, direction: direction, isFresh: !wasAudible, propagation, block: block, spare: spare.row(0))
        if let spread = state.pointee.spread(to: settings.spread, isFresh: !wasAudible, block) {
            surround.take(whole, spread: spread, frames: block.frames)
        }
        add(object, direction, encoded: share, isFresh: !wasAudible, block)
    }

    /// Frames for which listeners hear an object after its end.
    @_noLocks @_noAllocation
    private func tail(_ part: UnsafeMutablePointer<ObjectPart>) -> Int {
        // The low-pass is down by 100 dB in less than this; measured filters end, and wait for a partition.
        let filtered = max(2 &* prepared.history, prepared.history &+ 3 &* HRTFFrame(rate: rate).part)
        let farther = reach.last > 0 ? Int(clamping: propagation.delay(Double(reach.last))) : 0
        return filtered &+ part.pointee.path.tail(propagation) &+ farther
    }

    /// Adds a row that is filled but for its low-pass.
    ///
    /// - Parameter share: share that is encoded onto the array; the rest is left in the row.
    @_noLocks @_noAllocation
    mutating func add(
        _ place: Int, _ direction: SIMD3<Float>, encoded share: EncodedShare = EncodedShare(), isFresh: Bool, _ block: Block
    ) {
        let (whole, low, history) = (prepared.row(place, 0), prepared.row(place, 1), prepared.history)
        // Whole lanes are read.
        rt_zero(whole + block.frames, roundedToLanes(block.frames) &- block.frames)
        var verdict = guards.admit(place, whole, frames: block.frames)
        if !share.ramp.isZero {
            encoder.encode(place, whole, direction, share: share.ramp, isFresh: isFresh, frames: block.frames)
            guard share.isDirect else { return guards.note(place, verdict) }
            share.rest.scale(whole, frames: block.frames)
            // An object that comes back from the array begins from silence.
            if share.begins { for part in 0..<2 { rt_zero(prepared.row(place, part) - history, history) } }
        }
        prepared.shadow.lowPass(whole, low, frames: block.frames)
        // The low-pass is recursive: its last sample is its state.
        if !(abs(low[block.frames &- 1]) <= SoundRange.limit) {
            verdict = SoundRange.judge(low, count: block.frames)
            rt_zero(low - history, history &+ roundedToLanes(block.frames))
        }
        guards.note(place, verdict)
        prepared.add(ActiveObject(object: place, direction: direction, isFresh: isFresh || share.begins))
    }

    /// Sets the air for all objects: degrees Celsius and percent.
    @_noLocks @_noAllocation
    package mutating func setAir(temperature: Float, humidity: Float) { propagation.set(temperature: temperature, humidity: humidity) }

    // MARK: Array and live input

    /// Adds the microphones' signals of the objects that are encoded in the current block.
    ///
    /// - Parameter samples: interleaved microphone signals.
    @_noLocks @_noAllocation
    package mutating func addEncoded(to samples: UnsafeMutablePointer<Float>, frames: Int) { encoder.add(to: samples, frames: frames) }

    /// Whether any object is to be heard through the array.
    @_noLocks @_noAllocation
    package func encodes(_ settings: UnsafePointer<ObjectSettings>) -> Bool {
        for object in 0..<count where settings[object].isEncoded && !settings[object].isAbsent { return true }
        return encoder.isHeard
    }

    /// The live input without the channels that objects use: those are heard from the objects.
    @_noLocks @_noAllocation
    package mutating func direct(_ input: InputView?, block: Block) -> InputView? {
        guard count > 0, let input else { return input }
        var wanted = SIMD2<Float>(repeating: 1)
        for object in 0..<count {
            let channel = states[object].voice.channel
            if channel >= 0 { wanted[channel & 1] = 0 }
        }
        return direct.fade(input, to: wanted, block: block)
    }
}
