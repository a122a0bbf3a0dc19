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
    static var fade: Float { @_noLocks @_noAllocation get { 0.02 } }
    /// Radius of the heads without a recording, metres.
    private static var radius: Float { @_noLocks @_noAllocation get { 0.0875 } }

    package let count: Int
    private let rate: Float
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let voices: UnsafeMutablePointer<ObjectVoice>
    // SAFETY: as above. Keep each object's sound in range.
    private nonisolated(unsafe) let ranges: UnsafeMutablePointer<RangeGuard>
    // SAFETY: as above. How often each object's sound out of range was replaced.
    private nonisolated(unsafe) let resets: UnsafeMutablePointer<RangeCounts>
    // SAFETY: as above. Azimuth and elevation of each object in degrees, and their direction.
    private nonisolated(unsafe) let places: UnsafeMutablePointer<(SIMD2<Float>, SIMD3<Float>)>
    // SAFETY: as above. The way of each object's sound.
    private nonisolated(unsafe) let paths: UnsafeMutablePointer<ObjectPath>
    // SAFETY: as above. Share of each object that came from all around at the end of the last block.
    private nonisolated(unsafe) let spreads: UnsafeMutablePointer<Float>
    var propagation: Propagation
    private var surround: SurroundField
    private var surrounded = false
    /// The room that the objects are in.
    var rooms: RoomStage
    /// Levels of the reflections and of the late field.
    package var roomLevels = RoomLevels()
    // SAFETY: as above. The wall between each object and the listeners.
    private nonisolated(unsafe) let muffles: UnsafeMutablePointer<WallMuffle>
    /// The block that listeners are rendered from.
    package internal(set) var prepared: PreparedObjects
    // SAFETY: as above. Sounds that are no longer needed since the last call of `prepare`.
    private nonisolated(unsafe) let released: UnsafeMutablePointer<UnsafeMutablePointer<ObjectSound>>
    private var releasedCount = 0
    let spare: Rows
    private var radius = Self.radius
    /// Place in the sounds, frames.
    private var clock: Int64 = 0
    private var feed: Int64 = 0
    private var level: Float = 0
    /// Gains of both sides of the live input where it is heard directly instead of from an object.
    private var direct = SIMD2<Float>(repeating: 1)

    /// - Parameters:
    ///   - count: number of objects.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    ///   - reflections: largest number of reflections of each object.
    ///   - isShared: whether other threads receive the objects.
    ///   - plan: room in which the objects are; nil for a free field.
    package init(
        count: Int, rate: Float, period: Int, reflections: Int = 0, isShared: Bool = false, room plan: RoomPlan? = nil
    ) {
        self.count = count
        self.rate = rate
        voices = .allocate(capacity: count)
        for object in 0..<count { (voices + object).initialize(to: ObjectVoice()) }
        let reflections = max(reflections, plan?.images.count ?? 0)
        let total = PreparedObjects.places(objects: count, reflections: reflections)
        ranges = .allocate(capacity: total)
        ranges.initialize(repeating: RangeGuard(rate: rate), count: total)
        resets = .allocate(capacity: total)
        resets.initialize(repeating: RangeCounts(), count: total)
        places = .allocate(capacity: count)
        places.initialize(repeating: (.zero, SIMD3(1, 0, 0)), count: count)
        paths = .allocate(capacity: count)
        for object in 0..<count { (paths + object).initialize(to: ObjectPath(rate: rate, period: period)) }
        spreads = .allocate(capacity: count)
        spreads.initialize(repeating: 0, count: count)
        propagation = Propagation(rate: rate)
        surround = SurroundField(rate: rate, period: period)
        released = .allocate(capacity: count)
        spare = Rows(rows: 4, length: period)
        prepared = PreparedObjects(
            count: count, reflections: reflections, isShared: isShared, shadow: SphereShadow(radius: Self.radius, rate: rate), rate: rate,
            period: period)
        rooms = RoomStage(plan.map { RoomScene($0, objects: count, rate: rate, period: period) })
        muffles = .allocate(capacity: count)
        muffles.initialize(repeating: WallMuffle(), count: count)
    }

    // SAFETY: a renderer ends on the control side, which may free the sounds that are left.
    deinit {
        let voices = voices
        for object in 0..<count {
            while let sound = voices[object].release() {
                sound.deinitialize(count: 1)
                sound.deallocate()
            }
        }
        voices.deinitialize(count: count)
        voices.deallocate()
        ranges.deallocate()
        resets.deallocate()
        places.deallocate()
        paths.deinitialize(count: count)
        paths.deallocate()
        spreads.deallocate()
        released.deallocate()
        muffles.deallocate()
    }

    /// Number of times that an object's sound out of range was replaced.
    @_noLocks @_noAllocation
    package func counts(_ object: Int) -> RangeCounts { resets[object] }

    /// Takes ownership of a sound for the object that it names.
    /// - Returns: a sound that is not needed: one that was waiting, or `sound` itself when there is no such object.
    @_noLocks @_noAllocation
    package mutating func take(_ sound: UnsafeMutablePointer<ObjectSound>) -> UnsafeMutablePointer<ObjectSound>? {
        // A name of its own: ThreadSanitizer's build cannot follow changes through the property.
        let voices = voices
        let object = sound.pointee.object
        guard object < count else { return sound }
        return (voices + object).pointee.take(sound)
    }

    /// Returns the sounds that the last block made superfluous, one per call, and then nil.
    @_noLocks @_noAllocation
    package mutating func release() -> UnsafeMutablePointer<ObjectSound>? {
        guard releasedCount > 0 else { return nil }
        releasedCount = releasedCount &- 1
        return released[releasedCount]
    }

    /// Prepares a block. Call ``release()`` until it returns nil before the next one.
    ///
    /// - Parameters:
    ///   - settings: one per object.
    ///   - transport: state of the recording, which has been prepared for the same block.
    ///   - input: live input, before it is heard directly.
    @_noLocks @_noAllocation
    package mutating func prepare(
        _ settings: UnsafePointer<ObjectSettings>, _ transport: ObjectTransport, input: InputView?, block: Block
    ) {
        prepared.clear()
        guard count > 0 else { return }
        let isPlaying = transport.isPlaying
        follow(transport, block)
        // The beginning is not faded in.
        if clock == 0, level == 0, isPlaying { level = 1 }
        let reached = level(isPlaying: isPlaying, block)
        let moment = ObjectVoice.Moment(
            frames: block.frames, place: clock, level: Ramp(from: level, to: reached, frames: block.frames),
            fadeShare: block.seconds / Self.fade, input: input,
            spare: spare.row(2))
        surround.begin(block.frames)
        beginRooms(block)
        let isRoom = rooms.isRoom
        for object in 0..<count {
            var own = settings[object]
            // In a room sound always takes its way through the air.
            if isRoom { (own.air, own.doppler) = (1, 1) }
            prepare(object, own, moment, block)
        }
        prepareSurround(block)
        if level > 0 || reached > 0 { clock = clock &+ Int64(block.frames) }
        level = reached
        // Without a recording a stop is what returns the sounds to their beginnings.
        if transport.isStopped, level == 0, transport.radius == 0 { clock = 0 }
        prepared.finish(block.frames)
    }

    /// Sets the place in the sounds to that of the recording when this begins or is sought; from then on it counts up,
    /// across the recording's loops as well.
    @_noLocks @_noAllocation
    private mutating func follow(_ transport: ObjectTransport, _ block: Block) {
        if transport.feed != feed {
            feed = transport.feed
            clock = max(0, transport.place &- (transport.isPlaying ? Int64(block.frames) : 0))
        }
        let present = transport.radius > 0 ? transport.radius : Self.radius
        guard present != radius else { return }
        radius = present
        prepared.shadow = SphereShadow(radius: radius, rate: rate)
    }

    /// Level of sounds that follow the transport, at the last frame of this block.
    @_noLocks @_noAllocation
    private func level(isPlaying: Bool, _ block: Block) -> Float {
        Ramp.approach(isPlaying ? 1 : 0, from: level, step: block.seconds / Self.fade)
    }

    @_noLocks @_noAllocation
    private mutating func prepare(
        _ object: Int, _ settings: ObjectSettings, _ moment: ObjectVoice.Moment, _ block: Block
    ) {
        let wanted = settings.level
        let voice = voices + object
        let wasAudible = voice.pointee.tail > 0
        let isAudible = voice.pointee.isAudible(moment, wanted: wanted)
        if !isAudible {
            note(voice.pointee.rest(moment, gain: wanted, strength: settings.strength))
            guard wasAudible else { return }
        }
        let (whole, near, history) = (prepared.row(object, 0), spare.row(3), prepared.history)
        let direction = direction(object, settings)
        prepared.keepHistory(object, isFresh: !wasAudible)
        if isAudible {
            note(voice.pointee.fill(whole, moment, wanted: wanted, strength: settings.strength))
            // The low-pass is down by 100 dB in less than this; measured filters end, and wait for a partition.
            let filtered = max(2 &* history, history &+ 3 &* HRTFFrame(rate: rate).part)
            voice.pointee.tail = max(filtered &+ paths[object].tail(propagation), rooms.tail)
        } else {
            rt_zero(whole, block.frames)
            voice.pointee.tail = max(0, voice.pointee.tail &- block.frames)
        }
        let muffle = muffles + object
        muffle.pointee.process(
            whole, to: wall(direction * settings.distance), isFresh: !wasAudible, propagation.design, block: block)
        voice.pointee.scale(
            whole, near: near, wanted: wanted, strength: settings.strength, frames: block.frames, gainShare: block.gainShare)
        let (path, surround) = (paths + object, settings.spread)
        reflect(object, near, settings, direction * settings.distance, isFresh: !wasAudible, block)
        path.pointee.process(
            whole, settings, direction: direction, isFresh: !wasAudible, propagation, block: block, spare: spare.row(2))
        spread(object, whole, to: surround, isFresh: !wasAudible, block)
        add(object, direction, isFresh: !wasAudible, block)
    }

    /// Lets a share of an object's sound come from all around.
    @_noLocks @_noAllocation
    private mutating func spread(
        _ object: Int, _ row: UnsafeMutablePointer<Float>, to wanted: Float, isFresh: Bool, _ block: Block
    ) {
        let spreads = spreads
        let before = isFresh ? wanted : spreads[object]
        guard before != 0 || wanted != 0 else { return }
        spreads[object] = Smoother.next(before, to: wanted, share: block.gainShare, tolerance: 1e-4)
        surround.take(row, spread: Ramp(from: before, to: spreads[object], frames: block.frames), frames: block.frames)
    }

    /// Adds what comes from all around.
    @_noLocks @_noAllocation
    private mutating func prepareSurround(_ block: Block) {
        let wasSurrounded = surrounded
        let isLate = finishRooms(block)
        let isAround = surround.finish(block.frames)
        surrounded = isLate || isAround
        guard surrounded || wasSurrounded else { return }
        for i in 0..<SurroundField.count {
            prepared.keepHistory(count &+ i, isFresh: !wasSurrounded)
            rt_zero(prepared.row(count &+ i, 0), roundedToLanes(block.frames))
        }
        if isLate { addLate(block) }
        for i in 0..<SurroundField.count {
            let row = prepared.row(count &+ i, 0)
            if isAround { surround.add(i, to: row, frames: block.frames) }
            add(count &+ i, LateDirections.direction(i, of: SurroundField.count), isFresh: !wasSurrounded, block)
        }
        share(block)
    }

    /// Adds a row that is filled but for its low-pass.
    @_noLocks @_noAllocation
    mutating func add(_ place: Int, _ direction: SIMD3<Float>, isFresh: Bool, _ block: Block) {
        let (whole, low, history) = (prepared.row(place, 0), prepared.row(place, 1), prepared.history)
        // Whole lanes are read.
        rt_zero(whole + block.frames, roundedToLanes(block.frames) &- block.frames)
        let (ranges, resets) = (ranges, resets)
        var verdict = ranges[place].admit(whole, whole, frames: block.frames)
        prepared.shadow.lowPass(whole, low, frames: block.frames)
        // The low-pass is recursive: its last sample is its state.
        if !(abs(low[block.frames &- 1]) <= SoundRange.limit) {
            verdict = SoundRange.judge(low, count: block.frames)
            rt_zero(low - history, history &+ roundedToLanes(block.frames))
        }
        if !verdict.isPlausible { resets[place].note(verdict) }
        prepared.add(ActiveObject(object: place, direction: direction, isFresh: isFresh))
    }

    /// Sets the air for all objects: degrees Celsius and percent.
    @_noLocks @_noAllocation
    package mutating func setAir(temperature: Float, humidity: Float) { propagation.set(temperature: temperature, humidity: humidity) }

    /// Keeps a sound for ``release()``; there is at most one per object and block.
    @_noLocks @_noAllocation
    private mutating func note(_ sound: UnsafeMutablePointer<ObjectSound>?) {
        guard let sound else { return }
        released[releasedCount] = sound
        releasedCount = releasedCount &+ 1
    }

    @_noLocks @_noAllocation
    private func direction(_ object: Int, _ settings: ObjectSettings) -> SIMD3<Float> {
        let angles = SIMD2(settings.azimuth, settings.elevation)
        if places[object].0 != angles {
            let (azimuth, elevation) = (angles[0] * .pi / 180, angles[1] * .pi / 180)
            let flat = rt_cos(elevation)
            places[object] = (angles, SIMD3(flat * rt_cos(azimuth), flat * rt_sin(azimuth), rt_sin(elevation)))
        }
        return places[object].1
    }

    /// The live input without the channels that objects use: those are heard from the objects.
    @_noLocks @_noAllocation
    package mutating func direct(_ input: InputView?, block: Block) -> InputView? {
        guard count > 0, let input else { return input }
        var wanted = SIMD2<Float>(repeating: 1)
        for object in 0..<count {
            let channel = voices[object].channel
            if channel >= 0 { wanted[channel & 1] = 0 }
        }
        let before = direct
        guard before != wanted || wanted != SIMD2(repeating: 1) else { return input }
        for side in 0..<2 {
            direct[side] = Smoother.next(before[side], to: wanted[side], share: block.gainShare, tolerance: 1e-5)
        }
        let (left, right) = (spare.row(0), spare.row(1))
        let ramp = VectorRamp(from: before, to: direct, frames: block.frames)
        for i in 0..<block.frames {
            let gains = ramp.value(at: i)
            left[i] = input.left[i] * gains[0]
            right[i] = input.right[i] * gains[1]
        }
        return InputView(left: left, right: right)
    }
}
