internal import Binaural
internal import CRealtime
package import DSP

/// Sound objects, prepared once per block for all listeners: each one's sound with its level, directly and through the
/// low-pass of the sphere's shadow.
///
/// Objects are outside the sphere that carries the recording's microphones. The delay to the sphere is not modelled:
/// distance changes the level alone, one over metres.
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
    /// The block that listeners are rendered from.
    package private(set) var prepared: PreparedObjects
    // SAFETY: as above. Sounds that are no longer needed since the last call of `prepare`.
    private nonisolated(unsafe) let released: UnsafeMutablePointer<UnsafeMutablePointer<ObjectSound>>
    private var releasedCount = 0
    private let spare: Rows
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
    package init(count: Int, rate: Float, period: Int) {
        self.count = count
        self.rate = rate
        voices = .allocate(capacity: count)
        for object in 0..<count { (voices + object).initialize(to: ObjectVoice()) }
        ranges = .allocate(capacity: count)
        ranges.initialize(repeating: RangeGuard(rate: rate), count: count)
        resets = .allocate(capacity: count)
        resets.initialize(repeating: RangeCounts(), count: count)
        places = .allocate(capacity: count)
        places.initialize(repeating: (.zero, SIMD3(1, 0, 0)), count: count)
        released = .allocate(capacity: count)
        spare = Rows(rows: 3, length: period)
        prepared = PreparedObjects(count: count, shadow: SphereShadow(radius: Self.radius, rate: rate), rate: rate, period: period)
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
        released.deallocate()
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
        for object in 0..<count { prepare(object, settings[object], moment, block) }
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
        let step = block.seconds / Self.fade
        return isPlaying ? min(1, level + step) : max(0, level - step)
    }

    @_noLocks @_noAllocation
    private mutating func prepare(
        _ object: Int, _ settings: ObjectSettings, _ moment: ObjectVoice.Moment, _ block: Block
    ) {
        let wanted = settings.gain == 0 ? 0 : settings.gain / max(Self.nearest, settings.distance)
        let voice = voices + object
        let wasAudible = voice.pointee.tail > 0
        let isAudible = voice.pointee.isAudible(moment, wanted: wanted)
        if !isAudible {
            note(voice.pointee.rest(moment, gain: wanted))
            guard wasAudible else { return }
        }
        let (whole, low, history) = (prepared.row(object, 0), prepared.row(object, 1), prepared.history)
        prepared.keepHistory(object, isFresh: !wasAudible)
        if isAudible {
            note(voice.pointee.fill(whole, moment, wanted: wanted, gainShare: block.gainShare))
            // The low-pass is down by 100 dB in less than this.
            voice.pointee.tail = 2 &* history
        } else {
            rt_zero(whole, block.frames)
            voice.pointee.tail = max(0, voice.pointee.tail &- block.frames)
        }
        // Whole lanes are read.
        rt_zero(whole + block.frames, roundedToLanes(block.frames) &- block.frames)
        let (ranges, resets) = (ranges, resets)
        var verdict = ranges[object].admit(whole, whole, frames: block.frames)
        prepared.shadow.lowPass(whole, low, frames: block.frames)
        // The low-pass is recursive: its last sample is its state.
        if !(abs(low[block.frames &- 1]) <= SoundRange.limit) {
            verdict = SoundRange.judge(low, count: block.frames)
            rt_zero(low - history, history &+ roundedToLanes(block.frames))
        }
        if !verdict.isPlausible { resets[object].note(verdict) }
        prepared.add(ActiveObject(object: object, direction: direction(object, settings), isFresh: !wasAudible))
    }

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
