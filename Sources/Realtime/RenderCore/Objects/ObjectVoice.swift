internal import CRealtime
internal import DSP

/// Sound of one object before it is placed: looped from memory, from the live input or live from another thread, crossfaded to another
/// sound or place, faded in and out with the transport.
///
/// It owns the sounds that it was given; sounds that it no longer needs are returned to the caller.
struct ObjectVoice: ~Copyable {
    /// Values that are common to all objects in a block.
    struct Moment: BitwiseCopyable {
        let frames: Int
        /// Place in the sounds, frames since their common beginning.
        let place: Int64
        /// Level of sounds that follow the transport.
        let level: Ramp
        /// Share of a crossfade that one block covers.
        let fadeShare: Float
        let input: InputView?
        /// Working memory for a block.
        let spare: UnsafeMutablePointer<Float>

        @_noLocks @_noAllocation
        init(
            frames: Int, place: Int64, level: Ramp, fadeShare: Float, input: InputView?,
            spare: UnsafeMutablePointer<Float>
        ) {
            self.frames = frames
            self.place = place
            self.level = level
            self.fadeShare = fadeShare
            self.input = input
            self.spare = spare
        }
    }

    // SAFETY: given by `take(_:)`; this value alone holds these three until it returns them.
    private nonisolated(unsafe) var sound: UnsafeMutablePointer<ObjectSound>?
    private nonisolated(unsafe) var leaving: UnsafeMutablePointer<ObjectSound>?
    private nonisolated(unsafe) var coming: UnsafeMutablePointer<ObjectSound>?
    /// The next frames of `sound` and of `leaving`; negative before the beginning of a sound that is delayed.
    private var place = 0
    private var leavingPlace = 0
    /// Share of `sound` in the output; the rest is `leaving`.
    private var share: Float = 1
    private var gain = Smoother(0)
    /// Level at 1 m.
    private var strength = Smoother(0)
    /// Frames until the object's decay is inaudible.
    var tail = 0

    /// Takes another sound.
    /// - Returns: a sound that was waiting and will not be heard.
    @_noLocks @_noAllocation
    mutating func take(_ next: UnsafeMutablePointer<ObjectSound>) -> UnsafeMutablePointer<ObjectSound>? {
        let skipped = coming
        coming = next
        return skipped
    }

    /// Channel of the live input in use, counted from 0; negative for none.
    var channel: Int { @_noLocks @_noAllocation get { sound?.pointee.channel ?? -1 } }

    /// Whether the object is audible in this block. An inaudible sound is exchanged without a crossfade.
    /// - Parameter wanted: gain at the end of the block.
    @_noLocks @_noAllocation
    func isAudible(_ moment: Moment, wanted: Float) -> Bool {
        guard gain.value > 0 || wanted > 0 else { return false }
        return isAudible(sound, moment) || isAudible(leaving, moment) || isAudible(coming, moment)
    }

    @_noLocks @_noAllocation
    private func isAudible(_ sound: UnsafeMutablePointer<ObjectSound>?, _ moment: Moment) -> Bool {
        guard let sound else { return false }
        if sound.pointee.channel >= 0 { return moment.input != nil }
        if sound.pointee.isLive { return sound.pointee.isHeard() }
        return sound.pointee.frames > 0 && !moment.level.isZero
    }

    /// Prefetches the samples of the next block: the sounds of many objects do not fit into a cache.
    @_noLocks @_noAllocation
    func prefetch(frames: Int) {
        guard let sound, sound.pointee.frames > 0 else { return }
        rt_prefetch_samples(sound.pointee.samples + max(0, place), frames)
    }

    /// Advances by a block in which the object is inaudible.
    /// - Returns: a sound that is no longer needed.
    @_noLocks @_noAllocation
    mutating func rest(_ moment: Moment, gain wanted: Float, strength: Float) -> UnsafeMutablePointer<ObjectSound>? {
        gain.value = wanted
        self.strength.value = strength
        sound?.pointee.pass(frames: moment.frames, isMuted: wanted == 0)
        if let done = settle() { return done }
        guard let next = coming else {
            place = Self.place(moment, sound)
            return nil
        }
        coming = nil
        let old = sound
        sound = next
        place = Self.place(moment, next)
        return old
    }

    /// Ends a crossfade.
    /// - Returns: a sound that is no longer needed.
    @_noLocks @_noAllocation
    private mutating func settle() -> UnsafeMutablePointer<ObjectSound>? {
        share = 1
        guard let old = leaving else { return nil }
        leaving = nil
        return old == sound ? nil : old
    }

    /// Writes a block, without a gain.
    ///
    /// - Parameters:
    ///   - wanted: gain at the heads.
    ///   - strength: level at 1 m, a factor.
    /// - Returns: a sound that is no longer needed.
    @_noLocks @_noAllocation
    mutating func fill(
        _ row: UnsafeMutablePointer<Float>, _ moment: Moment, wanted: Float, strength: Float
    ) -> UnsafeMutablePointer<ObjectSound>? {
        if sound == nil { (gain.value, self.strength.value) = (wanted, strength) }
        begin(moment)
        Self.read(sound, &place, into: row, moment)
        var done: UnsafeMutablePointer<ObjectSound>?
        if share < 1 {
            Self.read(leaving, &leavingPlace, into: moment.spare, moment)
            let reached = min(1, share + moment.fadeShare)
            Ramp(from: share, to: reached, frames: moment.frames)
                .crossfade(from: moment.spare, to: row, into: row, frames: moment.frames)
            share = reached
            if share >= 1 { done = settle() }
        }
        return done
    }

    /// Returns the smoothed level at 1 m over a block.
    @_noLocks @_noAllocation
    mutating func strength(to wanted: Float, frames: Int, gainShare: Float) -> Ramp {
        strength.ramp(to: wanted, share: gainShare, frames: frames, tolerance: 1e-5)
    }

    /// Gives a block its levels, which are smoothed.
    ///
    /// - Parameters:
    ///   - row: becomes the sound at the heads.
    ///   - near: receives the sound at 1 m.
    ///   - wanted: gain at the heads.
    ///   - strength: the result of ``strength(to:frames:gainShare:)``.
    @_noLocks @_noAllocation
    mutating func scale(
        _ row: UnsafeMutablePointer<Float>, near: UnsafeMutablePointer<Float>, wanted: Float, strength: Ramp, frames: Int, gainShare: Float
    ) {
        for i in 0..<frames { near[i] = row[i] * strength.value(at: i) }
        gain.ramp(to: wanted, share: gainShare, frames: frames, tolerance: 1e-5).scale(row, frames: frames)
    }

    /// Begins a crossfade if there is another sound or place and no crossfade in progress.
    @_noLocks @_noAllocation
    private mutating func begin(_ moment: Moment) {
        guard share >= 1 else { return }
        let now = Self.place(moment, coming ?? sound)
        if moment.level.from == 0, coming == nil { place = now }
        guard coming != nil || place != now else { return }
        // A sound that begins after silence needs no fade.
        let isBeginning = sound == nil && now <= 0
        (leaving, leavingPlace) = (sound, place)
        if let next = coming { sound = next }
        coming = nil
        place = now
        share = isBeginning ? 1 : 0
    }

    @_noLocks @_noAllocation
    private static func place(_ moment: Moment, _ sound: UnsafeMutablePointer<ObjectSound>?) -> Int {
        guard let sound, sound.pointee.frames > 0 else { return 0 }
        let place = moment.place &- Int64(sound.pointee.delay)
        return Int(place < 0 ? place : place % Int64(sound.pointee.frames))
    }

    @_noLocks @_noAllocation
    private static func read(
        _ sound: UnsafeMutablePointer<ObjectSound>?, _ place: inout Int, into row: UnsafeMutablePointer<Float>,
        _ moment: Moment
    ) {
        let frames = moment.frames
        guard let sound else { return rt_zero(row, frames) }
        if sound.pointee.channel >= 0 {
            guard let input = moment.input else { return rt_zero(row, frames) }
            return rt_copy(row, sound.pointee.channel == 0 ? input.left : input.right, frames)
        }
        if sound.pointee.isLive { return sound.pointee.read(row, frames: frames) }
        let length = sound.pointee.frames
        guard length > 0, !moment.level.isZero else { return rt_zero(row, frames) }
        var done = min(frames, max(0, 0 &- place))
        if done > 0 {
            rt_zero(row, done)
            place = place &+ done
        }
        while done < frames {
            let count = min(frames &- done, length &- place)
            rt_copy(row + done, sound.pointee.samples + place, count)
            done = done &+ count
            place = place &+ count == length ? 0 : place &+ count
        }
        if !moment.level.isOne { moment.level.scale(row, frames: frames) }
    }

    /// Whether it holds a sound.
    var hasSound: Bool { @_noLocks @_noAllocation get { sound != nil || coming != nil || leaving != nil } }

    /// Returns the sounds it holds, one per call, and then nil.
    @_noLocks @_noAllocation
    mutating func release() -> UnsafeMutablePointer<ObjectSound>? {
        if let old = settle() ?? coming ?? sound {
            if old == coming { coming = nil }
            if old == sound { sound = nil }
            return old
        }
        return nil
    }
}
